import { sql } from 'kysely';
import type { Db } from '../db/client.ts';
import { ensurePartitions } from '../db/partitions.ts';
import type { Pool } from 'pg';
import type { Job } from './run-every.ts';

const EACH_6_HOURS = 6 * 3_600_000;
const DAY = 86_400_000;
/** A late reading at the border of what is accepted rebuilds its whole day from raw history. */
const REBUILD_MARGIN_DAYS = 2;

/** Opens next month's partition of readings, and drops raw history past its retention. */
export function partitionsJob(options: { db: Db; pool: Pool; now: () => Date; retentionDays: number }): Job {
  const { db, pool, now } = options;
  const before = (ms: number) => new Date(now().getTime() - ms);
  return {
    name: 'partitions',
    everyMs: EACH_6_HOURS,
    async run() {
      await ensurePartitions(pool, [now().getTime(), now().getTime() + 27 * DAY]);
      await dropOldPartitions(db, before((options.retentionDays + REBUILD_MARGIN_DAYS) * DAY));
    },
  };
}

/** Rolled-up history stays for ever; raw history goes by whole months. */
async function dropOldPartitions(db: Db, before: Date): Promise<void> {
  const limit = `reading_${before.toISOString().slice(0, 7).replace('-', '_')}`;
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where parent.relname = 'reading' and child.relname < ${limit}`.execute(db);
  for (const { name } of rows) {
    await db.transaction().execute(async (trx) => {
      // A backup that reads this month would make us wait, and every writer behind us: the next run comes in hours.
      await sql`set local lock_timeout = '5s'`.execute(trx);
      await sql.raw(`drop table ${name}`).execute(trx);
    });
  }
}
