/**
 * `node scripts/release.mjs <new folder>`: puts what a server needs there, built and with production dependencies only.
 * Nothing in it is written to at run time, so it may belong to root and be mounted read-only. The container file and the
 * systemd installation both come from here.
 */
import './lib/node-version.mjs';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { sbomText } from './lib/sbom.mjs';

/** npm ci wants every workspace that the lock file names, if only its package.json. */
const { workspaces } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const descriptions = ['package.json', ...workspaces.map((name) => join(name, 'package.json'))];
const programs = [
  'packages/contract',
  'packages/device',
  'packages/demo',
  'packages/paper',
  'apps/server',
  'apps/web',
];
const others = [
  'packages/paper/fonts',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'CHANGELOG.md',
  'docs/deploy',
  'deploy',
];

const folder = newFolder(process.argv[2]);
await ensureInstalled();
await ensureBuilt(['server', 'web']);
for (const path of [...descriptions, ...programs.map((name) => join(name, 'dist')), ...others]) copy(path);
await installForProduction();
await completeDatabase();
writeFileSync(join(folder, 'sbom.cdx.json'), await sbomText());
console.log(`Headrace is in ${folder}: node ${join(folder, 'apps/server/dist/main.js')}`);

function newFolder(name) {
  if (!name || process.argv.length > 3) stop('Usage: node scripts/release.mjs <new folder>', 2);
  // npm runs scripts in the repository; a name is meant from where the person is.
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), name);
  if (existsSync(path) && readdirSync(path).length > 0) stop(`${path} is not empty: give a new folder.`, 2);
  mkdirSync(path, { recursive: true });
  return path;
}

function copy(path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(inRoot(path), join(folder, path), { recursive: true, filter: isNeeded });
}

/** `npm run attack` is a tool of the sources: no server has a use for it. */
function isNeeded(path) {
  return !path.endsWith('.d.ts') && path !== inRoot('apps/server/dist/attack');
}

/** Only what the server itself needs: the web app's libraries are in its bundle already. */
async function installForProduction() {
  const only = ['--omit=dev', '--workspace=@headrace/server', '--include-workspace-root=false'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { code } = await run('npm', ['ci', ...only, ...quiet], { cwd: folder });
  if (code !== 0) stop('The production dependencies could not be installed: the lines above say why.', 1);
}

/** PostgreSQL's library links are made at its first start, which may not be allowed to write here: so now. */
async function completeDatabase() {
  const module = join(folder, 'apps/server/dist/db/embedded/binaries.js');
  const { findBinaries } = await import(pathToFileURL(module).href);
  await findBinaries().catch((error) => console.warn(error.message));
}

function stop(reason, code) {
  console.error(reason);
  process.exit(code);
}
