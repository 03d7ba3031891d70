import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';

/** In one transaction: one change of templates and sets at a time on a farm. */
export function aloneWithSchedules<T>(db: Db, farmId: number, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await claimOnce(trx);
    await sql`select pg_advisory_xact_lock(hashtext('headrace schedule templates'), ${farmId})`.execute(trx);
    return work(trx);
  });
}
