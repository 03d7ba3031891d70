import { basename, resolve } from 'node:path';
import type { BackupContext } from './backup-context.ts';
import { withDatabase } from './backup-context.ts';
import { backupAt } from './backup-folder.ts';
import { BackupError, NotTriedError } from './backup-format.ts';
import { noteFault, noteSuccess, sentenceOf } from './backup-runs.ts';
import { readArguments } from './command-arguments.ts';
import { drillBackup, type Drilled } from './drill/drill.ts';

export const drillCommand = {
  usage: 'drill-backup <file or folder> [--scheduled]',
  does: 'Restores a backup, of a folder the newest, into a database of its own, asks the services of it, and deletes it again',
  async run(context: BackupContext, args: string[]): Promise<string> {
    const { values, name } = readArguments(args, { scheduled: { type: 'boolean' } });
    const given = resolve(context.folder, name);
    return withDatabase(context, (databaseUrl) =>
      drillAndNote(context, databaseUrl, { given, isScheduled: values['scheduled'] === true }),
    );
  },
};

/** What went wrong is noted too: the server tells the operator, who may not read what a timer prints. */
async function drillAndNote(
  { now, room, openServer, warn }: BackupContext,
  databaseUrl: string,
  { given, isScheduled }: { given: string; isScheduled: boolean },
): Promise<string> {
  const since = performance.now();
  let path = given;
  const run = (done?: Drilled) => ({
    kind: 'drill' as const,
    at: now,
    isScheduled,
    path,
    bytes: done?.bytes ?? null,
    madeAt: done ? new Date(done.head.createdAt) : null,
    tookMs: done?.restoreMs ?? performance.now() - since,
  });
  try {
    path = await backupAt(given);
    const done = await drillBackup({ databaseUrl, path, now, room, openServer });
    await noteSuccess(databaseUrl, run(done), warn);
    return textOf(path, done, performance.now() - since);
  } catch (error) {
    await noteFault(databaseUrl, run(), error);
    const ended = error instanceof NotTriedError ? 'was not begun' : 'failed';
    throw new BackupError(`The trial restore of ${path} ${ended}. ${sentenceOf(error)}`);
  }
}

function textOf(path: string, { head, bytes, restoreMs, lines }: Drilled, tookMs: number): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `${basename(path)} can be restored: made ${head.createdAt} by Headrace ${head.appVersion}, ${(bytes / 1e6).toFixed(1)} MB`,
    ...lines.map((line) => `  ${line}`),
    `A restore of it takes ${seconds(restoreMs)} here; this trial took ${seconds(tookMs)}. Nothing of it is left.`,
  ].join('\n');
}
