import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BackupCommand, type BackupContext, withDatabase } from './backup-context.ts';
import { nameOf, pruneFolder, requireFolder } from './backup-folder.ts';
import { BackupError } from './backup-format.ts';
import { noteFault, noteSuccess } from './backup-runs.ts';
import { howManyToKeep, readArguments } from './command-arguments.ts';
import { drillCommand } from './drill-command.ts';
import { type Backup, readBackup } from './read-backup.ts';
import { refuseNewer, restoreBackup } from './restore-backup.ts';
import { statusCommand } from './status-command.ts';
import { writeBackup } from './write-backup.ts';
import { wholeText } from '@headrace/contract/rules/number-text';

export const backupCommands: Record<string, BackupCommand> = {
  backup: {
    usage: 'backup <new file> | backup --keep <how many> <folder>',
    does: 'Writes the whole database to a file, also while the server runs; with --keep, named by time, and the oldest go',
    async run(context, args) {
      const { values, name } = readArguments(args, { keep: { type: 'string' } });
      if (values['keep'] === undefined) return makeBackup(context, resolve(context.folder, name), false);
      return backUpAndPrune(context, resolve(context.folder, name), howManyToKeep(values['keep']));
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
  'drill-backup': drillCommand,
  'backup-status': statusCommand,
};

/** How it went is noted in the database, so that the server can say how old the newest backup is. */
async function makeBackup(context: BackupContext, path: string, isScheduled: boolean): Promise<string> {
  const { dataDir, now, warn } = context;
  const since = performance.now();
  return withDatabase(context, async (databaseUrl) => {
    const run = (bytes: number | null) => ({
      kind: 'backup' as const,
      at: now,
      isScheduled,
      path,
      bytes,
      madeAt: null,
      tookMs: performance.now() - since,
    });
    try {
      const backup = await writeBackup({ databaseUrl, dataDir, path, now });
      const { size } = await stat(path);
      await noteSuccess(databaseUrl, run(size), warn);
      return `Wrote and checked ${path} (${(size / 1e6).toFixed(1)} MB), ${describe(backup)}`;
    } catch (error) {
      await noteFault(databaseUrl, run(null), error);
      throw error;
    }
  });
}

async function backUpAndPrune(context: BackupContext, folder: string, keep: number): Promise<string> {
  await requireFolder(folder);
  const name = nameOf(context.now);
  const made = await makeBackup(context, join(folder, name), true);
  const gone = await pruneFolder(folder, keep, name, context.now);
  return gone.length > 0 ? `${made}\nDeleted ${gone.join(', ')}` : made;
}

/** Rows by table; history's months are one line. */
function describe({ head, seals }: Backup): string {
  const rows = new Map<string, number>();
  for (const { name, month } of head.tables) {
    const table = month ? 'reading' : name;
    rows.set(table, (rows.get(table) ?? 0) + (seals.get(name)?.rows ?? 0));
  }
  const width = Math.max(...[...rows.keys()].map((name) => name.length));
  const number = (value: number) => wholeText(value).padStart(15);
  const lines = [...rows].map(([name, count]) => `  ${name.padEnd(width)}${number(count)}`).toSorted();
  const made = `made ${head.createdAt} by Headrace ${head.appVersion} (schema ${head.migrations.at(-1)}, PostgreSQL ${head.postgresMajor})`;
  return `${made}, rows:\n${lines.join('\n')}`;
}
