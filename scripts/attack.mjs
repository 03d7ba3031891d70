/** `npm run attack -- --url <server> --email <test account>`: hostile calls to a server of yours; without arguments it says what it does. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

await ensureInstalled();
await ensureBuilt(['server']);
process.exitCode = (await runNode(inRoot('apps/server/dist/attack/main.js'), process.argv.slice(2))).code;
