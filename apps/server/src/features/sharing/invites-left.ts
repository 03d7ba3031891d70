import { INVITES_A_DAY } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;

/** How many more invitations an account may send now: each that was sent in the last 24 hours counts, also a second time. */
export async function invitesLeft(db: Db, ownerId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('access_log')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('what', 'in', ['invited', 'invited again'])
    .where('at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return Math.max(0, INVITES_A_DAY - Number(count));
}
