import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../db/embedded/files.ts';
import { BackupError, NotTriedError } from './backup-format.ts';

const OURS = /^headrace-\d{8}T\d{6}Z\.tar\.gz$/;
const OUR_PARTIAL = /^headrace-\d{8}T\d{6}Z\.tar\.gz\.partial$/;
/** A backup that is under way writes all the time: a part untouched for an hour was left by a killed one. */
const ABANDONED_AFTER_MS = 3_600_000;

/** `headrace-20261120T210000Z.tar.gz`: names sort by time. */
export function nameOf(now: Date): string {
  return `headrace-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.tar.gz`;
}

/** A folder is never made here: on the disk that is not mounted, it would be on the wrong one. */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory()) return;
  throw new BackupError(`There is no folder ${folder}: make it, or mount the disk that it is on.`);
}

/** The newest backup of a folder, or the file that was given. */
export async function backupAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) return path;
  const [newest] = (await backupsIn(path)).toReversed();
  if (newest === undefined) throw new NotTriedError(`There is no backup in ${path}.`);
  return join(path, newest);
}

/** Their names, the oldest first. */
export const backupsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => OURS.test(name)).toSorted();

/** Deletes the oldest backups beyond `keep`, never the newest one `made`; returns the names that went. */
export async function pruneFolder(folder: string, keep: number, made: string, now: Date): Promise<string[]> {
  const names = await readdir(folder);
  const others = names
    .filter((name) => OURS.test(name) && name !== made)
    .toSorted()
    .toReversed();
  const old = others.slice(keep - 1);
  const abandoned: string[] = [];
  for (const name of names.filter((name) => OUR_PARTIAL.test(name))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (now.getTime() - mtimeMs > ABANDONED_AFTER_MS) abandoned.push(name);
  }
  for (const name of [...old, ...abandoned]) await rm(join(folder, name), { force: true });
  return old;
}
