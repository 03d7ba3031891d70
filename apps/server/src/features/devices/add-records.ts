import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { AddedDevice } from '../changes/change-batch.ts';
import { logChanges } from '../changes/change-log.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { setGroups } from './device-groups.ts';
import { bumpLists, isOnList } from './list-sync.ts';
import { type By, logged, type NewRecord } from './record-change.ts';
import { refuseTakenSerials } from './serial-numbers.ts';
import { refuseTakenMac } from './taken-macs.ts';
import { refuseNewTank } from './tank-subscription.ts';

/** Of a device that isn't there yet. */
const NO_ID = 0;

export async function addRecord(
  trx: Db,
  farmId: number,
  record: NewRecord,
  by: By,
  groups: readonly string[] = [],
): Promise<DeviceRow> {
  const { kind, serial_number = '' } = record;
  await refuseNewTank(trx, farmId, record);
  await refuseTakenSerials(trx, farmId, [{ id: NO_ID, kind, serial_number, settings: {} }]);
  if (record.mac) await refuseTakenMac(trx, record.mac);
  const [added] = await addFreeRecords(trx, farmId, [{ record, groups }], by);
  if (!added) throw notFound();
  return added;
}

export interface NewMember {
  readonly record: NewRecord;
  /** Uids. */
  readonly groups: readonly string[];
}

/** Adds devices, in few statements, whose serial numbers and MACs the caller has found free in this transaction. */
export async function addFreeRecords(
  trx: Db,
  farmId: number,
  members: readonly NewMember[],
  by: By,
): Promise<DeviceRow[]> {
  const added: DeviceRow[] = [];
  for (let start = 0; start < members.length; start += ROWS_OF_STATEMENT) {
    const rows = members
      .slice(start, start + ROWS_OF_STATEMENT)
      .map(({ record }) => ({ ...record, farm_id: farmId, created_at: by.now, updated_at: by.now }));
    added.push(...(await trx.insertInto('device').values(rows).returningAll().execute()));
  }
  const byUid = new Map(added.map((device) => [device.uid, device]));
  for (const { groups, uids } of byGroups(members)) {
    const devices = uids.flatMap((uid) => byUid.get(uid) ?? []);
    if (groups.length > 0) await setGroups(trx, farmId, devices, groups);
  }
  const units = added.filter(isOnList);
  if (units.length > 0) await bumpLists(trx, farmId, units);
  await addToRegistry(trx, added, farmId);
  by.batch?.records.push(
    ...added.map(({ id, uid, kind, name, version }): AddedDevice => {
      return { what: 'added', id, uid, kind, name, version };
    }),
  );
  await logChanges(
    trx,
    added.map((device) => logged(device, by, 'created')),
    by.now,
  );
  return added;
}

/** Rows with all their values: a thousand keep the thread for some fifty milliseconds. */
const ROWS_OF_STATEMENT = 250;

/** Those that go into the same groups, together. */
function byGroups(members: readonly NewMember[]): { groups: readonly string[]; uids: string[] }[] {
  const found = new Map<string, { groups: readonly string[]; uids: string[] }>();
  for (const { record, groups } of members) {
    const key = groups.toSorted().join(' ');
    const known = found.get(key);
    if (known) known.uids.push(record.uid);
    else found.set(key, { groups, uids: [record.uid] });
  }
  return [...found.values()];
}
