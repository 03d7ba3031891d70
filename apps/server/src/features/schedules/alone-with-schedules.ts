import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';

/** In one transaction: one change of templates and sets at a time on a farm. */
export function aloneWithSchedules<T>(db: Db, farmId: number, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await claimOnce(trx);
    await lockSchedules(trx, farmId);
    return work(trx);
  });
}

/** The same within a transaction that does other things too. */
export async function lockSchedules(trx: Db, farmId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('headrace schedule templates'), ${farmId})`.execute(trx);
}

/** Nobody takes one of the farm's sets into use before the transaction ends: who does reads the set for share. */
export async function lockSets(trx: Db, farmId: number): Promise<void> {
  await sql`select from schedule_set where farm_id = ${farmId} order by id for update`.execute(trx);
}
