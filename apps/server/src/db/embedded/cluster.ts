import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import type { Launcher } from './choose-launcher.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainFailure } from './explain-failure.ts';
import { errorCode, readIfThere, syncFolder, writeWhole } from './files.ts';
import type { Owner } from './launch.ts';
import { runProgram } from './run-program.ts';

const STAGING = 'postgres.init-';

/** UTF-8 ordered by code point, the same on every machine, with case rules for all letters. */
const INITDB_ARGUMENTS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--username=postgres',
  '--auth=scram-sha-256',
  '--no-instructions',
];

export interface ClusterState {
  exists: boolean;
  owner: Owner | undefined;
}

/**
 * A cluster is only ever renamed into place whole, so a folder with files and no PG_VERSION is not ours to overwrite.
 *
 * @throws EmbeddedPostgresError 'wrong-version' | 'unreadable'
 */
export async function inspectCluster(clusterDir: string, major: number): Promise<ClusterState> {
  const files = await filesOf(clusterDir);
  if (files.length === 0) return { exists: false, owner: undefined };
  const version = (await readIfThere(join(clusterDir, 'PG_VERSION')))?.trim() ?? '';
  if (!/^\d+$/.test(version)) throw notACluster(clusterDir);
  if (Number(version) !== major) throw wrongVersion(clusterDir, version, major);
  const { uid, gid } = await stat(clusterDir);
  return { exists: true, owner: { uid, gid } };
}

/** initdb in a folder of its own, then one rename: interrupted at any moment, the next start begins again. */
export async function createCluster(
  dataDir: string,
  clusterDir: string,
  password: string,
  binaries: PostgresBinaries,
  launcher: Launcher,
  quick: boolean,
): Promise<void> {
  const staging = await mkdtemp(join(dataDir, STAGING));
  try {
    const passwordFile = join(staging, 'password');
    await writeWhole(passwordFile, password);
    await giveTo(launcher.owner, [staging, passwordFile]);
    const made = join(staging, 'cluster');
    const files = [`--pgdata=${made}`, `--pwfile=${passwordFile}`, ...(quick ? ['--no-sync'] : [])];
    const run = await runProgram(launcher.launch(binaries.initdb), [...INITDB_ARGUMENTS, ...files]);
    if (!run.ok) throw initFailure(run.stderr + run.stdout, dataDir, launcher);
    await moveIntoPlace(made, clusterDir);
    await syncFolder(dataDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what interrupted starts left. Only called under the server lock, so nobody is at work there. */
export async function removeHalfMadeClusters(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(STAGING));
  // An initdb whose server was just killed may still be removing its own files: hence the retries.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  await Promise.all(left.map((name) => rm(join(dataDir, name), options)));
}

/** PostgreSQL wants a cluster that only its owner can change; copies and mounts often loosen that. */
export async function secureCluster(
  clusterDir: string,
  state: ClusterState,
  owner: Owner | undefined,
): Promise<void> {
  if (((await stat(clusterDir)).mode & 0o027) !== 0) await chmod(clusterDir, 0o700);
  if (!owner || state.owner?.uid === owner.uid) return;
  const files = await readdir(clusterDir, { recursive: true });
  await giveTo(owner, [...files.map((file) => join(clusterDir, file)), clusterDir]);
}

async function giveTo(owner: Owner | undefined, paths: string[]): Promise<void> {
  if (!owner) return;
  for (const path of paths) await chown(path, owner.uid, owner.gid);
}

async function moveIntoPlace(made: string, clusterDir: string): Promise<void> {
  await mkdir(clusterDir, { recursive: true });
  try {
    await rmdir(clusterDir);
    await rename(made, clusterDir);
  } catch (error) {
    if (!['EBUSY', 'EXDEV', 'ENOTDIR'].includes(errorCode(error))) throw error;
    throw new EmbeddedPostgresError(
      'unreadable',
      `${clusterDir} is a link or a mount of its own, so a new database cannot be put there: mount the volume on the folder above it, or set DATA_DIR to another folder.`,
    );
  }
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function initFailure(printed: string, dataDir: string, launcher: Launcher): EmbeddedPostgresError {
  const error = explainFailure(printed, { dataDir });
  if (error.code !== 'unreadable' || !launcher.owner) return error;
  return new EmbeddedPostgresError(
    'root',
    `PostgreSQL refuses to run as root, and the user that Headrace runs it as (uid ${launcher.owner.uid}) may not enter ${dataDir}: put DATA_DIR where that user may enter, run Headrace as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or later of your own.`,
    printed,
  );
}

function notACluster(clusterDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unreadable',
    `${clusterDir} holds files but is not a whole PostgreSQL database (no valid PG_VERSION): restore it from a backup, or move it away to start empty.`,
  );
}

function wrongVersion(clusterDir: string, version: string, major: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'wrong-version',
    `The database in ${clusterDir} was made by PostgreSQL ${version} and this Headrace runs PostgreSQL ${major}: back it up with the Headrace release that made it, and restore the backup with this one (docs/deploy/upgrade.md).`,
  );
}
