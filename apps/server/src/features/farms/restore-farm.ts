import { sql } from 'kysely';
import type { RestoredFarm } from '@headrace/contract/deleted-farms';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { isUndoable, UNDO_DAYS } from '../changes/change-batch.ts';
import { endWaiting } from '../commands/end-waiting.ts';
import { takeAgainSince } from '../dead-letters/take-again-job.ts';
import type { By } from '../devices/record-change.ts';
import { bumpLists, isOnList } from '../devices/list-sync.ts';
import { macHolders } from '../devices/taken-macs.ts';
import { logShares } from './delete-farm.ts';
import { log, refuseTooMany } from './farm-editor.ts';
import { agentsOfAccount } from './farm-owners.ts';
import { type KeptFarm, type KeptRows, lockKept, putRows } from './kept-farm.ts';
import { keptShares } from './kept-shares.ts';

/** What a farm brought back with it, and who has to be told. */
export interface Return {
  readonly farmId: number;
  readonly accounts: number[];
  readonly away: RestoredFarm['away'];
}

/**
 * Brings a deleted farm back with its devices, groups, shares and keys, all or nothing. A device whose MAC address another
 * has by now stays away. Throws notFound where the farm isn't deleted or `mayRestore` says no, and conflict after 30 days.
 */
export function restoreFarm(
  db: Db,
  farmUid: string,
  by: By,
  mayRestore: (trx: Db, farm: FarmRow, kept: KeptFarm) => Promise<boolean>,
): Promise<Return> {
  return db.transaction().execute(async (trx) => {
    const farm = await lockDeleted(trx, farmUid);
    const batch = await lockKept(trx, farm.id);
    if (!batch || !(await mayRestore(trx, farm, batch.kept))) throw notFound();
    if (!isUndoable(batch.at, by.now))
      throw conflict(`It was deleted more than ${UNDO_DAYS} days ago and can't be restored.`, 'farmUID');
    await refuseTooMany(trx, farm.owner_id);
    await endWaiting(sqlClient(trx), farm.id, by.now);
    await trx
      .updateTable('farm')
      .set({ deleted_at: null, updated_at: by.now })
      .where('id', '=', farm.id)
      .execute();
    const away = await devicesBack(trx, farm.id, batch.kept, by);
    const rows = await withoutGone(trx, batch.kept.rows, away);
    await putRows(trx, rows);
    await keysBack(trx, farm.id, batch.kept);
    await trx
      .updateTable('change_batch')
      .set({ undone_at: by.now, undone_by: by.accountId })
      .where('farm_id', '=', farm.id)
      .where('id', '=', batch.id)
      .execute();
    const owner = { farmId: farm.id, accountId: by.accountId };
    await takeAgainSince(trx, owner, batch.at, by.now);
    const shares = keptShares(rows);
    await logShares(trx, farm, shares, by, 'given back');
    await log(trx, farm, 'restored', [], by);
    const agents = await agentsOfAccount(trx, farm.owner_id, by.now);
    return {
      farmId: farm.id,
      accounts: [...new Set([farm.owner_id, ...agents, ...shares.flatMap(({ agentId }) => agentId ?? [])])],
      away: away.map(({ kind, name }) => ({
        kind,
        name,
        why: 'Its MAC address is in use by another device.',
      })),
    };
  });
}

async function lockDeleted(trx: Db, uid: string): Promise<FarmRow> {
  const farm = await trx
    .selectFrom('farm')
    .selectAll()
    .where('uid', '=', uid.toLowerCase())
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!farm) throw notFound();
  return farm;
}

/** Those that stay away. */
async function devicesBack(trx: Db, farmId: number, { devices }: KeptFarm, by: By): Promise<DeviceRow[]> {
  const rows = await trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${devices})`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const holders = await macHolders(
    trx,
    rows.flatMap(({ mac }) => mac ?? []),
  );
  const taken = new Set(holders.map(({ mac }) => mac));
  const isAway = ({ mac }: DeviceRow) => mac !== null && taken.has(mac);
  const back = rows.filter((row) => !isAway(row)).map(({ id }) => id);
  await trx
    .updateTable('device')
    .set({ deleted_at: null, updated_at: by.now })
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${back})`)
    .execute();
  const away = rows.filter(isAway);
  const listed = away.filter(isOnList);
  if (listed.length > 0) await bumpLists(trx, farmId, listed);
  return away;
}

/** Without what belongs to devices that stay away, and to people whose account is gone. */
async function withoutGone(trx: Db, rows: KeptRows, away: readonly DeviceRow[]): Promise<KeptRows> {
  const isAway = new Set<unknown>(away.map(({ id }) => id));
  const isHere = (row: KeptRows['share'][number]) => !isAway.has(row['device_id']);
  const people = rows.share.flatMap(({ agent_id: id }) => (typeof id === 'number' ? [id] : []));
  const { rows: known } = await sql<{ id: number }>`select id from account where id = any(${people})`.execute(
    trx,
  );
  const isKnown = new Set<unknown>([null, ...known.map(({ id }) => id)]);
  return {
    ...rows,
    share: rows.share.filter((row) => isKnown.has(row['agent_id'])),
    device_group_member: rows.device_group_member.filter(isHere),
    gateway_key: rows.gateway_key.filter(isHere),
  };
}

async function keysBack(trx: Db, farmId: number, { integrationKeys }: KeptFarm): Promise<void> {
  await trx
    .updateTable('integration_key')
    .set({ deleted_at: null })
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${integrationKeys})`)
    .execute();
}
