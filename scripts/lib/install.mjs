import { readFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/** Installs what package-lock.json says, unless node_modules already holds exactly that. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    console.log('Installing dependencies (the first time takes a minute or two) …');
    const { code } = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) {
      console.error(
        'The dependencies could not be installed: the lines above say why. Check the connection and try again.',
      );
      process.exit(1);
    }
  });
}

/** npm writes node_modules/.package-lock.json as its last act, so it tells what is really there. */
function isInstalled() {
  try {
    const wanted = packagesOf('package-lock.json');
    const present = packagesOf('node_modules/.package-lock.json');
    const missing = Object.entries(wanted).some(
      ([path, entry]) => !(entry.optional || entry.devOptional) && !same(entry, present[path]),
    );
    const foreign = Object.entries(present).some(([path, entry]) => !same(entry, wanted[path]));
    return !missing && !foreign;
  } catch {
    return false;
  }
}

const same = (one, other) => other !== undefined && one.version === other.version && one.link === other.link;

function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(inRoot(file), 'utf8'));
  return Object.fromEntries(Object.entries(packages).filter(([path]) => path.startsWith('node_modules/')));
}
