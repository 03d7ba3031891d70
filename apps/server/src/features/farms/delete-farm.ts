import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Sender } from '../../mqtt/door.ts';
import { logAccess } from '../access/access-log.ts';
import type { By } from '../devices/device-records.ts';
import { lockFarm, log } from './farm-editor.ts';
import { agentsOfAccount } from './farm-owners.ts';

/** Who has to be told that a farm is gone. */
export interface Parting {
  /** Accounts that could see it. */
  readonly accounts: number[];
  /** Gateways and network servers that could sign in. */
  readonly senders: Sender[];
}

/**
 * Marks the farm and its devices as deleted and removes its groups, shares and keys, all or nothing. Readings stay until
 * purge-farms takes them. Throws notFound when somebody else was quicker.
 */
export function deleteFarm(db: Db, farmId: number, by: By): Promise<Parting> {
  return db.transaction().execute(async (trx) => {
    const farm = await lockFarm(trx, farmId);
    const senders = [...(await endGatewayKeys(trx, farmId)), ...(await endIntegrationKeys(trx, farmId, by))];
    const shares = await endShares(trx, farm, by);
    await trx.deleteFrom('device_group').where('farm_id', '=', farmId).execute();
    await trx.deleteFrom('farm_clock_change').where('farm_id', '=', farmId).execute();
    const gone = { deleted_at: by.now, updated_at: by.now };
    await trx
      .updateTable('device')
      .set(gone)
      .where('farm_id', '=', farmId)
      .where('deleted_at', 'is', null)
      .execute();
    await trx.updateTable('farm').set(gone).where('id', '=', farmId).execute();
    await log(trx, farm, 'deleted', [], by);
    const agents = await agentsOfAccount(trx, farm.owner_id, by.now);
    const accounts = new Set([farm.owner_id, ...agents, ...shares.flatMap(({ agent_id }) => agent_id ?? [])]);
    return { accounts: [...accounts], senders };
  });
}

/** Each is in the owner's log, as if it had been revoked: later it tells who could see the farm until when. */
async function endShares(trx: Db, farm: FarmRow, { accountId, now }: By) {
  const shares = await trx
    .deleteFrom('share')
    .using((eb) => eb.selectFrom('account').select(['id', 'name']).where('id', '=', accountId).as('actor'))
    .where('farm_id', '=', farm.id)
    .returning(['agent_id', 'email', 'contact', 'state', 'actor.name as actor_name'])
    .execute();
  const entries = shares.map(({ email, contact, state, actor_name }) => ({
    ownerId: farm.owner_id,
    farm,
    actor: { id: accountId, name: actor_name },
    what: 'revoked' as const,
    whom: contact.name || email,
    note: 'The farm was deleted.',
    detail: { state, email },
  }));
  await logAccess(trx, entries, now);
  return shares;
}

async function endGatewayKeys(trx: Db, farmId: number): Promise<Sender[]> {
  const keys = await trx
    .deleteFrom('gateway_key')
    .where('farm_id', '=', farmId)
    .returning(['device_id as deviceId', 'mac'])
    .execute();
  return keys.map((key) => ({ kind: 'gateway', farmId, ...key }));
}

async function endIntegrationKeys(trx: Db, farmId: number, by: By): Promise<Sender[]> {
  const keys = await trx
    .updateTable('integration_key')
    .set({ deleted_at: by.now })
    .where('farm_id', '=', farmId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return keys.map(({ id: keyId }) => ({ kind: 'network', farmId, keyId }));
}
