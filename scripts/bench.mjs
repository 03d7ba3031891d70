/** `npm run bench [-- <arguments>]`: measures a real server on this machine. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

await ensureInstalled();
await ensureBuilt(['server', 'bench']);
process.exitCode = (await runNode(inRoot('bench/dist/main.js'), process.argv.slice(2))).code;
