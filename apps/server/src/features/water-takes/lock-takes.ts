import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** One change of takes at a time on a farm. */
export async function lockTakes(trx: Db, farmId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('headrace water takes'), ${farmId})`.execute(trx);
}
