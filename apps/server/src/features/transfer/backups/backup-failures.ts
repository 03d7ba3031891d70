import { sql } from 'kysely';
import type { Db } from '../../../db/client.ts';

/** What fails: the nightly backup of a farm, or the trial of the backup with this uid. */
export type Fails = 'night' | (string & {});

export interface Failing {
  readonly since: Date;
  readonly tries: number;
}

/** How many backups of farms there are, by what is known of them, and what has failed for a day. */
export interface FarmBackupCounts {
  readonly proved: number;
  readonly waiting: number;
  readonly faulty: number;
  /** Names of farms. */
  readonly failing: readonly string[];
}

const REASON_MAX = 500;

/** What can't be done again and again is kept until it goes well: a log alone says it to nobody. */
export function createBackupFailures(db: Db) {
  return {
    async note(farmId: number, what: Fails, reason: string, now: Date): Promise<Failing> {
      const { rows } =
        await sql<Failing>`insert into farm_backup_failure (farm_id, what, since, at, tries, reason)
        values (${farmId}, ${what}, ${now}, ${now}, 1, ${reason.slice(0, REASON_MAX)})
        on conflict (farm_id, what) do update set at = excluded.at, tries = farm_backup_failure.tries + 1, reason = excluded.reason
        returning since, tries`.execute(db);
      return rows[0] ?? { since: now, tries: 1 };
    },

    async forget(farmId: number, what: Fails): Promise<void> {
      await db
        .deleteFrom('farm_backup_failure')
        .where('farm_id', '=', farmId)
        .where('what', '=', what)
        .execute();
    },

    /** Of farms that are there. `before`: what began to fail later may still go well by itself. */
    async counts(before: Date): Promise<FarmBackupCounts> {
      const { rows } = await sql<Omit<FarmBackupCounts, 'failing'>>`
        select count(*) filter (where b.proved_at is not null)::int as proved, count(*) filter (where b.fault <> '')::int as faulty,
          count(*) filter (where b.proved_at is null and b.fault = '')::int as waiting
        from farm_backup b join farm f on f.id = b.farm_id where f.deleted_at is null`.execute(db);
      const failing = await db
        .selectFrom('farm_backup_failure as fails')
        .innerJoin('farm', 'farm.id', 'fails.farm_id')
        .leftJoin('farm_backup as b', (join) =>
          join.onRef('b.farm_id', '=', 'fails.farm_id').onRef('b.uid', '=', 'fails.what'),
        )
        .select('farm.name')
        .distinct()
        .where('farm.deleted_at', 'is', null)
        .where('fails.since', '<', before)
        // A backup that was deleted fails no more.
        .where((eb) => eb.or([eb('fails.what', '=', 'night'), eb('b.id', 'is not', null)]))
        .orderBy('farm.name')
        .execute();
      return {
        ...(rows[0] ?? { proved: 0, waiting: 0, faulty: 0 }),
        failing: failing.map(({ name }) => name),
      };
    },
  };
}
export type BackupFailures = ReturnType<typeof createBackupFailures>;
