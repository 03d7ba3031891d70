import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { ChangedDevice } from '../changes/change-batch.ts';
import { type FieldChange, fieldChanges, logChanges } from '../changes/change-log.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { groupUidsOf, setGroups } from './device-groups.ts';
import { bumpLists } from './list-sync.ts';
import { forgetOthers } from './other-units.ts';
import {
  type By,
  type Doer,
  isListChange,
  lockRecords,
  logged,
  type RecordChange,
  StaleRecord,
  type What,
} from './record-change.ts';
import { refuseTakenSerials } from './serial-numbers.ts';
import { refuseTakenMac } from './taken-macs.ts';
import { refuseNewTank } from './tank-subscription.ts';

export async function changeRecord(
  trx: Db,
  device: DeviceRow,
  change: RecordChange,
  by: By,
  { version, what = 'changed' }: { version?: number | undefined; what?: What } = {},
): Promise<DeviceRow> {
  const [before] = await lockRecords(trx, device.farm_id, [device.id]);
  if (!before) throw notFound();
  if (version !== undefined && version !== before.version) throw new StaleRecord(before);
  await refuseNewTank(trx, device.farm_id, { ...before, ...change }, before);
  await refuseTakenSerials(trx, device.farm_id, newHolders([before], change));
  if (change.mac && change.mac !== before.mac) await refuseTakenMac(trx, change.mac);
  const [after] = await changeLocked(trx, [before], change, by, { what });
  return after ?? before;
}

/** Takes the MAC off a device that was never heard under it: nobody of its farm did that, and nothing undoes it. */
export async function takeMacOff(
  trx: Db,
  { farm_id, id }: Pick<DeviceRow, 'farm_id' | 'id'>,
  now: Date,
): Promise<DeviceRow> {
  const before = await lockRecords(trx, farm_id, [id]);
  const [after] = await changeLocked(
    trx,
    before,
    { mac: null },
    { accountId: null, now },
    { what: 'changed' },
  );
  if (!after) throw notFound();
  return after;
}

/** The same change of several devices, in few statements. Throws notFound when one of them is gone; the number that differ now. */
export async function changeRecords(
  trx: Db,
  farmId: number,
  devices: readonly Pick<DeviceRow, 'id'>[],
  change: Omit<RecordChange, 'mac' | 'serial_number'>,
  by: By,
  what: What = 'changed',
): Promise<number> {
  const before = await lockRecords(
    trx,
    farmId,
    devices.map(({ id }) => id),
  );
  if (before.length < devices.length) throw notFound('Some of these devices are no longer on the farm.');
  return (await changeLocked(trx, before, change, by, { what })).length;
}

/**
 * Settings that devices have now because a gateway carried out a command: it knows, so its list isn't behind. Those that have
 * left the farm, and those that `isMeant` says no to, stay as they are.
 */
export async function changeByCommand(
  trx: Db,
  farmId: number,
  ids: readonly number[],
  settings: Readonly<Record<string, unknown>>,
  by: Doer,
  isMeant: (device: DeviceRow) => boolean = () => true,
): Promise<void> {
  const before = (await lockRecords(trx, farmId, ids)).filter(isMeant);
  await changeLocked(trx, before, { settings }, by, { what: 'changed by command', isListBehind: false });
}

/** Those that differ now, as they are. */
async function changeLocked(
  trx: Db,
  before: readonly DeviceRow[],
  change: RecordChange,
  by: Doer,
  { what, isListBehind = true }: { what: What; isListBehind?: boolean },
): Promise<DeviceRow[]> {
  const [{ farm_id: farmId } = { farm_id: 0 }] = before;
  const { settings = {}, mapping, groups, decoder, ...columns } = change;
  const uidsBefore =
    groups &&
    by.batch &&
    (await groupUidsOf(
      trx,
      farmId,
      before.map(({ id }) => id),
    ));
  const ofGroups = groups && (await setGroups(trx, farmId, before, groups));
  const changes = new Map<number, FieldChange[]>();
  for (const device of before) {
    const fields = [
      ...fieldChanges(device, columns),
      ...fieldChanges(device.settings, settings),
      ...(mapping === undefined ? [] : fieldChanges({ mapping: device.mapping }, { mapping })),
    ];
    if (decoder && fieldChanges(device, decoder.columns).length > 0)
      fields.push({ field: 'codec', ...decoder.names });
    const group = ofGroups?.get(device.id);
    if (group) fields.push(group);
    if (fields.length > 0) changes.set(device.id, fields);
  }
  if (changes.size === 0) return [];
  const after = await trx
    .updateTable('device')
    .set({
      ...columns,
      ...decoder?.columns,
      ...(newHolders(before, change).length > 0 && { shares_serial: false }),
      settings: sql`settings || ${JSON.stringify(settings)}::jsonb`,
      ...(mapping !== undefined && { mapping: mapping === null ? null : JSON.stringify(mapping) }),
      version: sql`version + 1`,
      updated_at: by.now,
    })
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${[...changes.keys()]})`)
    .returningAll()
    .execute();
  const old = new Map(before.map((device) => [device.id, device]));
  by.batch?.records.push(
    ...after.flatMap((device) => {
      const was = old.get(device.id);
      const uids: [string[], string[]] | undefined = uidsBefore && [
        uidsBefore.get(device.id) ?? [],
        lower(groups),
      ];
      return was ? [changedDevice(was, device, change, uids)] : [];
    }),
  );
  if (isListBehind) await noteListChanges(trx, farmId, after, old);
  await forgetOthers(
    trx,
    farmId,
    after.map((device) => [old.get(device.id) ?? device, device]),
    by.now,
  );
  await addToRegistry(
    trx,
    after.filter(({ id, mac, serial_number: serial }) => {
      const was = old.get(id);
      return was?.mac !== mac || was.serial_number !== serial;
    }),
    farmId,
  );
  await logChanges(
    trx,
    after.map((device) => logged(device, by, what, changes.get(device.id))),
    by.now,
  );
  return after;
}

const lower = (uids: readonly string[] = []) => [...new Set(uids.map((uid) => uid.toLowerCase()))].toSorted();

/** What of a device was changed from what and to what, for its way back. */
export function changedDevice(
  before: DeviceRow,
  after: DeviceRow,
  { settings = {}, groups: _groups, decoder: _decoder, ...columns }: RecordChange,
  groups: [string[], string[]] | undefined,
): ChangedDevice {
  const { id, uid, kind, name } = after;
  const steps = (from: object, to: object, names: object) => {
    const [old, now] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
    const each = Object.keys(names).map((member) => [
      member,
      [old.get(member) ?? null, now.get(member) ?? null],
    ]);
    return Object.fromEntries(each) as ChangedDevice['columns'];
  };
  return {
    what: 'changed',
    id,
    uid,
    kind,
    name,
    columns: steps(before, after, columns),
    settings: steps(before.settings, after.settings, settings),
    groups,
  };
}

/** As they would be, those that come to hold a serial number: another one, or theirs again as they return to service. */
function newHolders(
  before: readonly DeviceRow[],
  { serial_number, settings = {} }: RecordChange,
): DeviceRow[] {
  return before.flatMap((device) => {
    const after = { ...device, settings: { ...device.settings, ...settings } };
    after.serial_number = serial_number ?? device.serial_number;
    const isNew = after.serial_number !== device.serial_number;
    const isBack = device.settings['isPlaceholder'] === true && settings['isPlaceholder'] === false;
    return isNew || isBack ? [after] : [];
  });
}

async function noteListChanges(
  trx: Db,
  farmId: number,
  after: readonly DeviceRow[],
  old: ReadonlyMap<number, DeviceRow>,
): Promise<void> {
  const units = after.flatMap((device) => {
    const was = old.get(device.id);
    return was && isListChange(was, device) ? [was, device] : [];
  });
  if (units.length > 0) await bumpLists(trx, farmId, units);
}
