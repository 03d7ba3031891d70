/** `npm run build [-- --force] [server|simulator|web|bench …]`: builds what changed since the last build. */
import './lib/node-version.mjs';
import { ensureBuilt, forgetBuilds } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('-'));
await ensureInstalled();
if (args.includes('--force')) forgetBuilds();
await ensureBuilt(names.length > 0 ? names : undefined);
