import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Sender } from '../../mqtt/transport.ts';
import { logAccess } from '../access/access-log.ts';
import type { By } from '../devices/record-change.ts';
import { lockFarm, log } from './farm-editor.ts';
import { agentsOfAccount } from './farm-owners.ts';
import { keepFarm, takeRows } from './kept-farm.ts';
import { type KeptShare, keptShares } from './kept-shares.ts';

/** Who has to be told that a farm is gone. */
export interface Parting {
  /** Accounts that could see it. */
  readonly accounts: number[];
  /** Gateways and network servers that could sign in. */
  readonly senders: Sender[];
}

/**
 * Marks the farm and its devices as deleted and takes its groups, shares and keys away, all or nothing: whatever asks for
 * them finds none. They are kept beside it for 30 days, as are its readings, so that it can come back. Throws notFound when
 * somebody else was quicker.
 */
export function deleteFarm(
  db: Db,
  farmId: number,
  by: By,
  /** In the same transaction. */
  also: (trx: Db, farm: FarmRow) => Promise<void> = async () => {},
): Promise<Parting> {
  return db.transaction().execute(async (trx) => {
    const farm = await lockFarm(trx, farmId);
    const rows = await takeRows(trx, farmId);
    const shares = keptShares(rows);
    const integrationKeys = await endIntegrationKeys(trx, farmId, by);
    const devices = await endDevices(trx, farmId, by);
    const gone = { deleted_at: by.now, updated_at: by.now };
    await trx.updateTable('farm').set(gone).where('id', '=', farmId).execute();
    await keepFarm(trx, farm, { rows, devices, integrationKeys }, by);
    await logShares(trx, farm, shares, by, 'revoked');
    await log(trx, farm, 'deleted', [], by);
    await also(trx, farm);
    const agents = await agentsOfAccount(trx, farm.owner_id, by.now);
    return {
      accounts: [...new Set([farm.owner_id, ...agents, ...shares.flatMap(({ agentId }) => agentId ?? [])])],
      senders: [
        ...rows.gateway_key.map((key) => gatewaySender(farmId, key)),
        ...integrationKeys.map((keyId): Sender => ({ kind: 'network', farmId, keyId })),
      ],
    };
  });
}

/** Each is in the owner's log, as if it had been revoked, or given again: later it tells who could see the farm when. */
export async function logShares(
  trx: Db,
  farm: FarmRow,
  shares: readonly KeptShare[],
  { accountId, now }: By,
  what: 'revoked' | 'given back',
): Promise<void> {
  const actor = accountId === null ? undefined : await nameOf(trx, accountId);
  const entries = shares.map(({ email, name, state }) => ({
    ownerId: farm.owner_id,
    farm,
    actor: accountId === null || actor === undefined ? null : { id: accountId, name: actor },
    what,
    whom: name || email,
    note: what === 'revoked' ? 'The farm was deleted.' : 'The deleted farm was restored.',
    detail: { state, email },
  }));
  await logAccess(trx, entries, now);
}

async function nameOf(trx: Db, accountId: number): Promise<string | undefined> {
  const row = await trx.selectFrom('account').select('name').where('id', '=', accountId).executeTakeFirst();
  return row?.name;
}

const gatewaySender = (farmId: number, key: Readonly<Record<string, unknown>>): Sender => ({
  kind: 'gateway',
  farmId,
  deviceId: Number(key['device_id']),
  mac: String(key['mac']),
});

async function endDevices(trx: Db, farmId: number, { now }: By): Promise<number[]> {
  const rows = await trx
    .updateTable('device')
    .set({ deleted_at: now, updated_at: now })
    .where('farm_id', '=', farmId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function endIntegrationKeys(trx: Db, farmId: number, by: By): Promise<number[]> {
  const keys = await trx
    .updateTable('integration_key')
    .set({ deleted_at: by.now })
    .where('farm_id', '=', farmId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return keys.map(({ id }) => id);
}
