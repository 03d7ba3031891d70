import { sql } from 'kysely';
import type { Db } from '../../../db/client.ts';
import { withBackupClient } from './backup-client.ts';
import { NotTriedError } from './backup-format.ts';

export interface BackupRun {
  readonly kind: 'backup' | 'drill';
  readonly at: Date;
  readonly isScheduled: boolean;
  readonly path: string;
  readonly bytes: number | null;
  /** When the backup was made that a drill restored. */
  readonly madeAt: Date | null;
  readonly tookMs: number;
  /** Empty: it went well. */
  readonly fault: string;
}

/** Of each kind the run that ended last and the last that went well, and whether a timer ever did it. */
export interface BackupStanding {
  readonly backup: Standing;
  readonly drill: Standing;
}

export interface Standing {
  readonly last: BackupRun | null;
  readonly good: BackupRun | null;
  readonly isScheduled: boolean;
}

const KEPT_DAYS = 400;
const FAULT_MAX = 1000;

const findTable = "select to_regclass('backup_run')::text as table";

/** What was done is done, noted or not. `warn` hears that the server doesn't know of it. */
export async function noteSuccess(
  databaseUrl: string,
  run: Omit<BackupRun, 'fault'>,
  warn: (sentence: string) => void,
): Promise<void> {
  await noteRun(databaseUrl, { ...run, fault: '' }).catch((error: unknown) =>
    warn(`It went well, but that can't be noted, so the server doesn't know of it: ${sentenceOf(error)}`),
  );
}

/** What was refused to a person who reads it says nothing of the backups; nobody reads what a timer was refused. */
export async function noteFault(
  databaseUrl: string,
  run: Omit<BackupRun, 'fault'>,
  error: unknown,
): Promise<void> {
  if (error instanceof NotTriedError && (error.isBusy || !run.isScheduled)) return;
  await noteRun(databaseUrl, { ...run, fault: sentenceOf(error) }).catch(() => {});
}

export const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** By a connection of its own: the commands that note it have no other. A database of an older version has no place for it. */
export const noteRun = (databaseUrl: string, run: BackupRun): Promise<void> =>
  withBackupClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ table: string | null }>(findTable);
    if (!rows[0]?.table) return;
    await client.query(`delete from backup_run where at < $1::timestamptz - interval '${KEPT_DAYS} days'`, [
      run.at.toISOString(),
    ]);
    await client.query(
      `insert into backup_run (kind, at, is_scheduled, path, bytes, made_at, took_ms, fault)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        run.kind,
        run.at.toISOString(),
        run.isScheduled,
        run.path,
        run.bytes,
        run.madeAt?.toISOString() ?? null,
        Math.round(run.tookMs),
        run.fault.slice(0, FAULT_MAX),
      ],
    );
  });

/** Null: a database of an older version has no place for it. */
export async function readStanding(db: Db): Promise<BackupStanding | null> {
  const { rows } = await sql.raw<{ table: string | null }>(findTable).execute(db);
  if (!rows[0]?.table) return null;
  return { backup: await standingOf(db, 'backup'), drill: await standingOf(db, 'drill') };
}

/** In the order in which they ended: one that was begun later and refused doesn't hide how the one before it went. */
async function standingOf(db: Db, kind: BackupRun['kind']): Promise<Standing> {
  const newest = db
    .selectFrom('backup_run')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1);
  const last = await newest.executeTakeFirst();
  const good = await newest.where('fault', '=', '').executeTakeFirst();
  const scheduled = await newest.where(sql<boolean>`is_scheduled`).executeTakeFirst();
  return { last: toRun(last), good: toRun(good), isScheduled: scheduled !== undefined };
}

type Row = Awaited<ReturnType<typeof rowsOf>>;
const rowsOf = (db: Db) => db.selectFrom('backup_run').selectAll().executeTakeFirst();

function toRun(row: Row): BackupRun | null {
  if (!row) return null;
  const { kind, at, is_scheduled: isScheduled, path, bytes, made_at: madeAt, took_ms: tookMs, fault } = row;
  return { kind, at, isScheduled, path, bytes: bytes === null ? null : Number(bytes), madeAt, tookMs, fault };
}
