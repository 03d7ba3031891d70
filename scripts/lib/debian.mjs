import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/** Debian starts a service as soon as it is installed; we want the programs, not a broker on port 1883. */
const POLICY = '/usr/sbin/policy-rc.d';

const canInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Full path of a program, in PATH or where Debian keeps servers; null when it isn't there. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** Major version of the newest PostgreSQL server that Debian's packages put here; null without one. */
export function debianPostgres() {
  try {
    const versions = readdirSync('/usr/lib/postgresql').filter((v) =>
      isExecutable(`/usr/lib/postgresql/${v}/bin/postgres`),
    );
    return versions.toSorted((a, b) => Number(a) - Number(b)).at(-1) ?? null;
  } catch {
    return null;
  }
}

/** The lists of packages, read anew once a run. */
let listsRead;

/** Installs Debian packages without starting what is in them. True when all are there afterwards. */
export async function aptInstall(...packages) {
  if (!canInstall()) return false;
  console.log(`Installing ${packages.join(', ')} …`);
  const ours = !existsSync(POLICY);
  if (ours) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const apt = (...args) =>
    run('apt-get', args, { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 300_000 });
  try {
    // A machine's lists may be half a year old, and so would be the browser. Where they can't be had, the old ones do.
    await (listsRead ??= apt('update'));
    const { code, output } = await apt('install', '-y', '--no-install-recommends', ...packages);
    if (code !== 0) console.error(output.trim().split('\n').slice(-5).join('\n'));
    return code === 0;
  } finally {
    if (ours) rmSync(POLICY, { force: true });
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
