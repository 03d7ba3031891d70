import { sql } from 'kysely';
import type { Backup } from '@headrace/contract/backups';
import type { Db } from '../../../db/client.ts';
import type { FarmRow } from '../../../db/schema.ts';

export interface NewBackup {
  readonly uid: string;
  readonly description: string;
  readonly accountId: number | null;
  readonly cause: 'person' | 'night' | 'before';
  readonly revision: string;
  readonly counts: Backup['counts'];
  readonly content: Buffer;
  readonly sha256: Buffer;
  readonly now: Date;
}

export interface ChangedFarm extends FarmRow {
  readonly changedAt: Date;
  readonly lastNight: Date | null;
}

const shown = [
  'farm_backup.id',
  'farm_backup.uid',
  'farm_backup.description',
  'farm_backup.created_at as createdAt',
  'farm_backup.cause',
  'farm_backup.counts',
  'farm_backup.proved_at as provedAt',
  'farm_backup.fault',
  'fails.at as triedAt',
] as const;

export function createBackupsRepo(db: Db) {
  const rows = (farmId: number, from: Db) =>
    from
      .selectFrom('farm_backup')
      .leftJoin('account as a', 'a.id', 'farm_backup.account_id')
      .leftJoin('farm_backup_failure as fails', (join) =>
        join.onRef('fails.farm_id', '=', 'farm_backup.farm_id').onRef('fails.what', '=', 'farm_backup.uid'),
      )
      .select([
        ...shown,
        sql<number>`coalesce(fails.tries, 0)`.as('tries'),
        'a.name as by',
        sql<number>`length(farm_backup.content)`.as('bytes'),
      ])
      .where('farm_backup.farm_id', '=', farmId)
      .orderBy('farm_backup.created_at', 'desc')
      .orderBy('farm_backup.id', 'desc');

  return {
    /** The newest first. */
    list: (farmId: number, from: Db = db) => rows(farmId, from).execute(),

    one: (farmId: number, uid: string, from: Db = db) =>
      rows(farmId, from).where('farm_backup.uid', '=', uid).executeTakeFirst(),

    /** How many records were changed since each: by the log of changes, which is read once for all. Alert rules are in no backup. */
    async changedSince(farmId: number): Promise<ReadonlyMap<string, number>> {
      const { rows: counts } = await sql<{ uid: string; changed: number }>`
        with newest as materialized (select kind, uid, max(id) as id from change_log
          where farm_id = ${farmId} and id > (select min(revision) from farm_backup where farm_id = ${farmId})
            and kind <> 'alert' and what not in ('decoded anew', 'contested a MAC address', 'MAC address contested')
          group by kind, uid)
        select b.uid, (select count(*)::int from newest where newest.id > b.revision) as changed
        from farm_backup b where b.farm_id = ${farmId}`.execute(db);
      return new Map(counts.map(({ uid, changed }) => [uid, changed]));
    },

    content: (farmId: number, uid: string, from: Db = db) =>
      from
        .selectFrom('farm_backup')
        .select(['content', 'sha256', 'description', 'created_at as createdAt'])
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .executeTakeFirst(),

    /** As it is now: what a call knows of it may be a minute old. */
    farm: (farmId: number, from: Db): Promise<FarmRow> =>
      from.selectFrom('farm').selectAll().where('id', '=', farmId).executeTakeFirstOrThrow(),

    /** One writer of a farm's backups at a time, so that two can't pass the limit. */
    async lock(trx: Db, farmId: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('headrace farm backups'), ${farmId})`.execute(trx);
    },

    async insert(trx: Db, farmId: number, { now, accountId, counts, ...backup }: NewBackup): Promise<void> {
      await trx
        .insertInto('farm_backup')
        .values({
          farm_id: farmId,
          ...backup,
          created_at: now,
          account_id: accountId,
          counts: JSON.stringify(counts),
        })
        .execute();
    },

    async remove(trx: Db, farmId: number, ids: readonly number[]): Promise<void> {
      await trx
        .deleteFrom('farm_backup')
        .where('farm_id', '=', farmId)
        .where(sql<boolean>`id = any(${ids})`)
        .execute();
    },

    /** To the end of the transaction nobody else tries it. False: somebody does, or it was tried. */
    async takeForTrial(trx: Db, farmId: number, uid: string): Promise<boolean> {
      const { rows: locks } = await sql<{
        free: boolean;
      }>`select pg_try_advisory_xact_lock(hashtextextended(${`headrace trial ${uid}`}, 0)) as free`.execute(
        trx,
      );
      if (locks[0]?.free !== true) return false;
      const row = await rows(farmId, trx).where('farm_backup.uid', '=', uid).executeTakeFirst();
      return row !== undefined && row.provedAt === null && row.fault === '';
    },

    async noteProof(trx: Db, farmId: number, uid: string, fault: string, now: Date): Promise<void> {
      await trx
        .updateTable('farm_backup')
        .set({ fault, proved_at: fault === '' ? now : null })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .execute();
    },

    /** Those that have still to be restored on trial, the oldest first, but for these. */
    unproved: (but: readonly string[]) =>
      db
        .selectFrom('farm_backup')
        .innerJoin('farm', 'farm.id', 'farm_backup.farm_id')
        .select(['farm_backup.farm_id as farmId', 'farm_backup.uid'])
        .where('farm_backup.proved_at', 'is', null)
        .where('farm_backup.fault', '=', '')
        .where('farm.deleted_at', 'is', null)
        .where(sql<boolean>`farm_backup.uid <> all(${but})`)
        .orderBy('farm_backup.created_at')
        .limit(50)
        .execute(),

    /** Farms that were changed since their newest backup, with when that was and when they had one by night. */
    async changed(): Promise<ChangedFarm[]> {
      const { rows: farms } = await sql<ChangedFarm>`
        select f.*, newest.at as "changedAt",
          (select max(created_at) from farm_backup b where b.farm_id = f.id and b.cause = 'night') as "lastNight"
        from farm f cross join lateral
          (select id, at from change_log c where c.farm_id = f.id order by id desc limit 1) newest
        where f.deleted_at is null and newest.id
            > coalesce((select max(revision) from farm_backup b where b.farm_id = f.id), 0)`.execute(db);
      return farms;
    },
  };
}
export type BackupsRepo = ReturnType<typeof createBackupsRepo>;
