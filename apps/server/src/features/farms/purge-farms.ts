import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';

/** Readings of a deleted farm are kept this long, days. */
const KEPT_DAYS = 30;
/** Series that are removed in one go, each in a transaction of its own. */
const SERIES_A_RUN = 500;

/**
 * Removes what was measured on farms that were deleted more than 30 days ago; the number of series that it removed. What is
 * left over is the next run's.
 */
export async function purgeFarms(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const gone = await db
    .selectFrom('series')
    .innerJoin('farm', 'farm.id', 'series.farm_id')
    .select(['series.farm_id', 'series.id'])
    .where('farm.deleted_at', '<', before)
    .orderBy('series.farm_id')
    .orderBy('series.id')
    .limit(SERIES_A_RUN)
    .execute();
  for (const { farm_id, id } of gone) await db.transaction().execute((trx) => purgeSeries(trx, farm_id, id));
  for (const table of ['device_fact', 'last_uplink'])
    await sql`delete from ${sql.table(table)} t using farm f where f.id = t.farm_id and f.deleted_at < ${before}`.execute(
      db,
    );
  return gone.length;
}

async function purgeSeries(trx: Kysely<Database>, farmId: number, id: number): Promise<void> {
  for (const table of ['reading', 'reading_hour', 'reading_day'])
    await sql`delete from ${sql.table(table)} where farm_id = ${farmId} and series_id = ${id}`.execute(trx);
  await trx.deleteFrom('series').where('farm_id', '=', farmId).where('id', '=', id).execute();
}
