import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { DeletedDevice } from '../changes/change-batch.ts';
import { type FieldChange, logChanges } from '../changes/change-log.ts';
import { groupUidsOf, leaveGroups } from './device-groups.ts';
import { markLeaving } from './leaving.ts';
import { bumpLists, isOnList } from './list-sync.ts';
import { type By, lockRecords, logged } from './record-change.ts';

/** Throws notFound when it is gone already. What became of a converted one stands in its `fields`. */
export async function removeRecord(
  trx: Db,
  device: DeviceRow,
  by: By,
  what: 'deleted' | 'converted' = 'deleted',
  fields: readonly FieldChange[] = [],
  /** Of a gateway, whose key ends with it. */
  key?: DeletedDevice['key'],
): Promise<void> {
  await removeRecords(trx, device.farm_id, [device], by, what, fields, key);
}

/** Throws notFound when one of them is gone already. */
export async function removeRecords(
  trx: Db,
  farmId: number,
  devices: readonly Pick<DeviceRow, 'id'>[],
  by: By,
  what: 'deleted' | 'converted' = 'deleted',
  fields: readonly FieldChange[] = [],
  key?: DeletedDevice['key'],
): Promise<void> {
  const before = await lockRecords(
    trx,
    farmId,
    devices.map(({ id }) => id),
  );
  if (before.length < devices.length) throw notFound();
  const ids = before.map(({ id }) => id);
  await trx
    .updateTable('device')
    .set({ deleted_at: by.now, updated_at: by.now })
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
  await markLeaving(trx, farmId, ids);
  const groups = by.batch && (await groupUidsOf(trx, farmId, ids));
  by.batch?.records.push(
    ...before.map(({ id, uid, kind, name }): DeletedDevice => {
      return { what: 'deleted', id, uid, kind, name, groups: groups?.get(id) ?? [], key };
    }),
  );
  await leaveGroups(trx, farmId, ids);
  const units = before.filter(isOnList);
  if (units.length > 0) await bumpLists(trx, farmId, units);
  await logChanges(
    trx,
    before.map((device) => logged(device, by, what, fields)),
    by.now,
  );
}
