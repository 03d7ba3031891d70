/** `npm run typecheck`: every workspace, all errors shown. */
import './lib/node-version.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, tools } from './lib/paths.mjs';
import { inTurns, runNode } from './lib/run.mjs';
import { filesBelow } from './lib/source-hash.mjs';

await ensureInstalled();
const { workspaces } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
/** tsc calls a project without files an error; a workspace may still be empty. */
const hasSources = (folder) =>
  existsSync(inRoot(folder, 'tsconfig.json')) &&
  filesBelow(inRoot(folder)).some((file) => /\.tsx?$/.test(file));

const results = await inTurns(workspaces.filter(hasSources), 2, async (folder) => {
  const args = [
    '-p',
    inRoot(folder, 'tsconfig.json'),
    '--noEmit',
    '--pretty',
    String(process.stdout.isTTY ?? false),
  ];
  return { folder, ...(await runNode(tools.tsc, args, { quiet: true })) };
});
for (const { folder, code, output } of results) {
  console.log(`${folder}: ${code === 0 ? 'ok' : 'errors'}`);
  if (output) console.log(output);
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0;
