import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';

/** Which of these accounts take messages by another way than the bell. */
async function reached(db: Db, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{
    id: number;
  }>`select a.id from account a where a.id = any(${[...accountIds]}::int[]) and (
    a.send_email and a.email_confirmed_at is not null or a.send_sms and a.mobile is not null
    or a.send_push and exists (select from push_device p where p.account_id = a.id))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Whether none of these takes messages by another way than the bell. */
export const areInBellAlone = async (db: Db, accountIds: readonly number[]): Promise<boolean> =>
  (await reached(db, accountIds)).size === 0;

/** Of farms of which an account is told, those of which nobody is told by another way than the bell. */
export async function farmsInBellAlone(
  db: Db,
  accountId: number,
  farms: readonly FarmRow[],
  now: Date,
): Promise<FarmRow[]> {
  if (farms.length === 0) return [];
  const some = await reached(db, [accountId, ...farms.map(({ owner_id }) => owner_id)]);
  if (some.has(accountId)) return [];
  const found: FarmRow[] = [];
  for (const farm of farms.filter(({ owner_id }) => !some.has(owner_id)))
    if (await areInBellAlone(db, await accountsWithFlag(db, farm.id, 'notifications', now))) found.push(farm);
  return found;
}
