import { connectDatabase } from '../../../db/client.ts';
import { audited, writeAudit } from '../audit.ts';
import { type BackupCommand, type BackupContext, withDatabase } from './backup-context.ts';
import { sentenceOf } from './backup-runs.ts';

/**
 * Runs a command about backups and writes down who did what with which outcome. After it, in the database as it is then: a restore that
 * deletes what is there would delete the line too. Where there is no database, as on a machine that only keeps backups, there is none.
 */
export async function runBackupAudited(
  name: string,
  command: BackupCommand,
  context: BackupContext,
  args: string[],
  operator?: string,
): Promise<string> {
  // Looking at how backups fare opens nothing.
  if (name === 'backup-status') return command.run(context, args);
  return audited(
    () => command.run(context, args),
    (outcome) => writeDown(context, { name, command, args, outcome, operator }),
  );
}

/** What was done is done, written down or not. */
async function writeDown(context: BackupContext, entry: Parameters<typeof writeAudit>[1]): Promise<void> {
  try {
    if (!(await context.hasDatabase())) return;
    await withDatabase(context, async (url) => {
      const { db, close } = connectDatabase(url);
      try {
        await writeAudit({ db, now: context.now }, entry);
      } finally {
        await close();
      }
    });
  } catch (error) {
    context.warn(`Who did this can't be written down in the database: ${sentenceOf(error)}`);
  }
}
