import { sql } from 'kysely';
import { INVITES_A_DAY } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { roomAgain, roomLeft, type RoomLeft, type Use } from '../../room-again.ts';

const DAY_MS = 86_400_000;

export interface InvitesLeft extends RoomLeft {
  /** When `wanted` more may be sent. */
  again(wanted: number): Date;
}

/** How many more invitations an account may send now: each that was sent in the last 24 hours counts, also a second time. */
export async function invitesLeft(db: Db, ownerId: number, now: Date): Promise<InvitesLeft> {
  const uses: Use[] = await db
    .selectFrom('access_log')
    .select(['at', sql<number>`count(*)::int`.as('count')])
    .where('owner_id', '=', ownerId)
    .where('what', 'in', ['invited', 'invited again'])
    .where('at', '>', new Date(now.getTime() - DAY_MS))
    .groupBy('at')
    .execute();
  return {
    ...roomLeft(uses, INVITES_A_DAY, now),
    again: (wanted) => roomAgain(uses, INVITES_A_DAY, wanted, now),
  };
}
