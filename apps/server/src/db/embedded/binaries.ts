import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainFailure } from './explain-failure.ts';
import { errorCode, readIfThere } from './files.ts';
import { wrap } from './launch.ts';
import { runProgram } from './run-program.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** Major version, such as 18. */
  major: number;
}

/**
 * The PostgreSQL of the npm package for this platform, made complete and tried.
 *
 * @param nativeDir its folder with bin, lib and share, when it isn't the installed package.
 * @throws EmbeddedPostgresError 'no-binary'
 */
export async function findBinaries(nativeDir = installedNativeDir()): Promise<PostgresBinaries> {
  await makeLibraryLinks(nativeDir);
  const postgres = join(nativeDir, 'bin', 'postgres');
  const tried = await runProgram(wrap([], postgres), ['--version']);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(tried.stdout)?.[1]);
  if (tried.ok && major > 0) return { postgres, initdb: join(nativeDir, 'bin', 'initdb'), major };
  const sentence = explainFailure('error while loading shared libraries', { dataDir: '' }).message;
  throw new EmbeddedPostgresError('no-binary', sentence, tried.stderr);
}

function installedNativeDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      'no-binary',
      `Headrace brings no PostgreSQL for ${process.platform}-${process.arch}, or it was installed without optional packages: run npm ci again, or set DATABASE_URL to a PostgreSQL 15 or later of your own.`,
    );
  }
}

interface LibraryLink {
  source: string;
  target: string;
}

/** npm packs no symlinks and skips the install script that would make them, so they are made at every start. */
async function makeLibraryLinks(nativeDir: string): Promise<void> {
  try {
    const list = await readIfThere(join(nativeDir, 'pg-symlinks.json'));
    const links = JSON.parse(list ?? '[]') as LibraryLink[];
    await Promise.all(links.map((link) => makeLink(dirname(nativeDir), link)));
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no-binary',
      `PostgreSQL's library links are missing in ${nativeDir} and cannot be made there (${errorCode(error) || 'their list is unreadable'}): start Headrace once as the user who installed it, or set DATABASE_URL to a PostgreSQL 15 or later of your own.`,
    );
  }
}

async function makeLink(packageDir: string, { source, target }: LibraryLink): Promise<void> {
  const path = join(packageDir, target);
  const wanted = basename(source); // Both are in one folder; a relative link survives a move of the whole.
  if (await isInPlace(path, wanted)) return;
  try {
    await rm(path, { force: true });
    await symlink(wanted, path);
  } catch (error) {
    if (!(await isInPlace(path, wanted))) throw error; // Else another server starting now was quicker.
  }
}

/** A real file under the link's name is as good. */
async function isInPlace(path: string, wanted: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isSymbolicLink() || (await readlink(path)) === wanted;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
