/** `npm run bench [-- <arguments>]`: measures a real server on this machine. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

await ensureInstalled();
const parts = process.argv.slice(2);
// These open the app in a browser.
const hasBrowser = parts.length === 0 || ['year', 'phone', 'timeline'].some((part) => parts.includes(part));
await ensureBuilt(['server', 'bench', ...(hasBrowser ? ['web'] : [])]);
process.exitCode = (await runNode(inRoot('bench/dist/main.js'), parts)).code;
