/** `npm run admin -- <command>`: the operator's command line. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

await ensureInstalled();
await ensureBuilt(['server']);
process.exitCode = (await runNode(inRoot('apps/server/dist/admin.js'), process.argv.slice(2))).code;
