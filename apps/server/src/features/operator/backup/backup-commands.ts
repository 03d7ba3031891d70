import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../usage-error.ts';
import { nameOf, pruneFolder, requireFolder } from './backup-folder.ts';
import { BackupError } from './backup-format.ts';
import { type Backup, readBackup } from './read-backup.ts';
import { refuseNewer, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupContext {
  /** The server's data folder, for the secrets in it. */
  dataDir: string;
  /** What relative names are relative to. */
  folder: string;
  now: Date;
  /** The database as it is, not migrated: the running server's, or started for this command. */
  openDatabase(): Promise<{ url: string; stop(): Promise<void> }>;
  /** Of the embedded database; an outside one says by its locks who uses it. */
  isServerRunning(): Promise<boolean>;
}

interface BackupCommand {
  usage: string;
  does: string;
  run(context: BackupContext, args: string[]): Promise<string>;
}

const KEEP_MAX = 1000;

export const backupCommands: Record<string, BackupCommand> = {
  backup: {
    usage: 'backup <new file> | backup --keep <how many> <folder>',
    does: 'Writes the whole database to a file, also while the server runs; with --keep, named by time, and the oldest go',
    async run(context, args) {
      const { values, name } = readArguments(args, { keep: { type: 'string' } });
      if (values['keep'] === undefined) return makeBackup(context, resolve(context.folder, name));
      return backUpAndPrune(context, resolve(context.folder, name), howMany(values['keep']));
    },
  },
  restore: {
    usage: 'restore <file> [--replace]',
    does: 'Puts a backup in the database of a server that is stopped; --replace deletes what it holds',
    async run(context, args) {
      const { values, name } = readArguments(args, { replace: { type: 'boolean' } });
      const path = resolve(context.folder, name);
      if (await context.isServerRunning()) {
        throw new BackupError('The server is running: stop it, restore, and start it again.');
      }
      const backup = await readBackup(path);
      refuseNewer(backup.head);
      await withDatabase(context, (databaseUrl) =>
        restoreBackup({
          databaseUrl,
          dataDir: context.dataDir,
          path,
          backup,
          replace: values['replace'] === true,
          now: context.now,
        }),
      );
      return `Restored ${path}, ${describe(backup)}`;
    },
  },
  'verify-backup': {
    usage: 'verify-backup <file>',
    does: 'Reads a backup whole and says what it holds',
    async run(context, args) {
      const path = resolve(context.folder, readArguments(args, {}).name);
      const backup = await readBackup(path);
      refuseNewer(backup.head);
      return `${path} is whole, ${describe(backup)}`;
    },
  },
};

async function makeBackup(context: BackupContext, path: string): Promise<string> {
  const { dataDir, now } = context;
  const backup = await withDatabase(context, (databaseUrl) =>
    writeBackup({ databaseUrl, dataDir, path, now }),
  );
  const megabytes = ((await stat(path)).size / 1e6).toFixed(1);
  return `Wrote and checked ${path} (${megabytes} MB), ${describe(backup)}`;
}

async function backUpAndPrune(context: BackupContext, folder: string, keep: number): Promise<string> {
  await requireFolder(folder);
  const name = nameOf(context.now);
  const made = await makeBackup(context, join(folder, name));
  const gone = await pruneFolder(folder, keep, name, context.now);
  return gone.length > 0 ? `${made}\nDeleted ${gone.join(', ')}` : made;
}

async function withDatabase<T>(context: BackupContext, work: (url: string) => Promise<T>): Promise<T> {
  const source = await context.openDatabase();
  try {
    return await work(source.url);
  } finally {
    await source.stop();
  }
}

function readArguments(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  const { values, positionals } = parse(args, options);
  const [name, ...more] = positionals;
  if (!name || more.length > 0) throw new UsageError('Give one file or folder.');
  return { values, name };
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : 'Unknown option'}.`);
  }
}

function howMany(text: unknown): number {
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1 && keep <= KEEP_MAX) return keep;
  throw new UsageError(`Give --keep a number from 1 to ${KEEP_MAX}.`);
}

/** Rows by table; history's months are one line. */
function describe({ head, seals }: Backup): string {
  const rows = new Map<string, number>();
  for (const { name, month } of head.tables) {
    const table = month ? 'reading' : name;
    rows.set(table, (rows.get(table) ?? 0) + (seals.get(name)?.rows ?? 0));
  }
  const width = Math.max(...[...rows.keys()].map((name) => name.length));
  const number = (value: number) => value.toLocaleString('en-NZ').padStart(15);
  const lines = [...rows].map(([name, count]) => `  ${name.padEnd(width)}${number(count)}`).toSorted();
  const made = `made ${head.createdAt} by Headrace ${head.appVersion} (schema ${head.migrations.at(-1)}, PostgreSQL ${head.postgresMajor})`;
  return `${made}, rows:\n${lines.join('\n')}`;
}
