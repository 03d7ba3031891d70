import { stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { connectDatabase } from '../../../db/client.ts';
import { inGigabytes } from '../../../machine/gigabytes.ts';
import { UsageError } from '../usage-error.ts';
import { type BackupCommand, withDatabase } from './backup-context.ts';
import { backupsIn } from './backup-folder.ts';
import { BackupError } from './backup-format.ts';
import { type BackupRun, type BackupStanding, readStanding } from './backup-runs.ts';
import { judgeBackups } from './watch-backups.ts';

export const statusCommand: BackupCommand = {
  usage: 'backup-status [folder]',
  does: 'Says how old the newest backup is, how the last trial restore went, and what is in the folder; fails where something is wrong',
  async run(context, args) {
    const [name, ...more] = args;
    if (more.length > 0) throw new UsageError('Give one folder, or none.');
    const standing = await withDatabase(context, readFrom);
    if (!standing)
      throw new BackupError(
        'Nothing is known yet: the database is one of an older version, or empty. Start this version once, and make a backup.',
      );
    const folder = name ? resolve(context.folder, name) : folderOf(standing);
    const trouble = judgeBackups(standing, context.now, true);
    const lines = [
      line('Newest backup', standing.backup.good, context.now, 'none was noted'),
      line('Newest that was restored on trial', standing.drill.good, context.now, 'none'),
      ...(folder === null ? [] : [await folderLine(folder)]),
    ];
    if (trouble) throw new BackupError([...lines, `Not good: ${trouble.sentence}.`].join('\n'));
    return [...lines, 'Good: the backups are made, and the last trial restore went well.'].join('\n');
  },
};

async function readFrom(databaseUrl: string): Promise<BackupStanding | null> {
  const { db, close } = connectDatabase(databaseUrl);
  try {
    return await readStanding(db);
  } finally {
    await close();
  }
}

/** Where the newest one was written. */
const folderOf = ({ backup }: BackupStanding) => (backup.good ? dirname(backup.good.path) : null);

function line(what: string, run: BackupRun | null, now: Date, none: string): string {
  if (!run) return `${what}: ${none}`;
  const hours = Math.floor((now.getTime() - run.at.getTime()) / 3_600_000);
  const age = hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  const size = run.bytes === null ? '' : `, ${(run.bytes / 1e6).toFixed(1)} MB`;
  const took = run.kind === 'drill' ? `, restored in ${(run.tookMs / 1000).toFixed(1)} s` : '';
  return `${what}: ${run.path}${size}, ${run.at.toISOString()}, ${age} ago${took}`;
}

/** As this machine sees it: a disk that isn't mounted has nothing in it. */
async function folderLine(folder: string): Promise<string> {
  try {
    const names = await backupsIn(folder);
    let bytes = 0;
    for (const name of names) bytes += (await stat(join(folder, name))).size;
    const { bavail, bsize } = await statfs(folder);
    return `In ${folder}: ${names.length} named by time, ${(bytes / 1e6).toFixed(1)} MB; ${inGigabytes(bavail * bsize)} free`;
  } catch {
    return `In ${folder}: can't be read from here`;
  }
}
