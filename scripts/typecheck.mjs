/** `npm run typecheck`: the web app, and all else as one program, so that what workspaces share is checked once. All errors shown. */
import './lib/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, tools } from './lib/paths.mjs';
import { inTurns, runNode } from './lib/run.mjs';

await ensureInstalled();
const programs = ['tsconfig.check.json', 'apps/web/tsconfig.json'];
const results = await inTurns(programs, 2, async (program) => {
  const pretty = String(process.stdout.isTTY ?? false);
  const args = ['-p', inRoot(program), '--noEmit', '--pretty', pretty];
  return { program, ...(await runNode(tools.tsc, args, { quiet: true })) };
});
for (const { program, code, output } of results) {
  console.log(`${program}: ${code === 0 ? 'ok' : 'errors'}`);
  if (output) console.log(output);
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0;
