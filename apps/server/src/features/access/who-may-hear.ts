import { type Flag, toPermissions } from '@headrace/contract/permissions';
import type { Db } from '../../db/client.ts';
import { holds } from './share-holds.ts';

/**
 * The accounts that have this flag on a farm of their own right: its owner, and with whom the farm or the owner's whole account is
 * shared now; the farm's own share decides where there are both. Support's looks and sessions don't count, nor accounts that may
 * not sign in. Nobody on a farm that is deleted. The owner comes first.
 */
export async function accountsWithFlag(db: Db, farmId: number, flag: Flag, now: Date): Promise<number[]> {
  const owner = await db
    .selectFrom('farm')
    .innerJoin('account', 'account.id', 'farm.owner_id')
    .select(['farm.owner_id', 'account.approved'])
    .where('farm.id', '=', farmId)
    .where('farm.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!owner) return [];
  const shares = await sharesOf(db, farmId, owner.owner_id, now);
  const agents = shares.flatMap(({ agent_id, permissions }) =>
    agent_id !== null && toPermissions(permissions)[flag] ? [agent_id] : [],
  );
  return [...(owner.approved ? [owner.owner_id] : []), ...agents];
}

/** One of each agent: that of the farm before that of the account. */
const sharesOf = (db: Db, farmId: number, ownerId: number, now: Date) =>
  db
    .selectFrom('share')
    .innerJoin('account as agent', 'agent.id', 'share.agent_id')
    .distinctOn('share.agent_id')
    .select(['share.agent_id', 'share.permissions'])
    .where((eb) =>
      eb.or([
        eb('share.farm_id', '=', farmId),
        eb.and([eb('share.farm_id', 'is', null), eb('share.owner_id', '=', ownerId)]),
      ]),
    )
    .where(holds('share', now))
    .where('agent.approved', '=', true)
    .orderBy('share.agent_id')
    .orderBy('share.farm_id')
    .execute();
