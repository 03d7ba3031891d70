/** Imported first by every script: says in one sentence what is missing, before anything newer is touched. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Headrace needs Node 20.19 or newer, and this is Node ${process.versions.node}: get it from nodejs.org.`,
  );
  process.exit(1);
}
