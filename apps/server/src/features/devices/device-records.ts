import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, NewDevice } from '../../db/schema.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { type FieldChange, fieldChanges, type LoggedChange, logChanges } from '../changes/change-log.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { leaveGroups, setGroups } from './device-groups.ts';
import { bumpLists, isOnList, type ListUnit } from './list-sync.ts';

/** Who does it, and when. */
export interface By {
  readonly accountId: number;
  readonly now: Date;
  /** The open page that asked for it, as far as it said so. */
  readonly page?: string | undefined;
}

export type NewRecord = Omit<NewDevice, 'farm_id'>;
/** What of a device is entered by people; `settings` are merged member by member, `groups` are uids. */
export interface RecordChange {
  readonly name?: string;
  readonly description?: string;
  readonly serial_number?: string;
  readonly mac?: string | null;
  readonly type?: number;
  readonly lat?: number | null;
  readonly lng?: number | null;
  readonly gateway_id?: number | null;
  readonly mapping?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly groups?: readonly string[] | undefined;
}

/** How the change log names a change: 'changed' unless said. */
type What = LoggedChange['what'];

/** Somebody else changed the record since the version that the caller saw. */
export class StaleRecord extends Error {
  constructor(readonly current: DeviceRow) {
    super('the record has a newer version');
  }
}

/**
 * The one way in which people's entries get into `device`, whatever its kind: the MAC is nobody else's, the version is the
 * one they saw, the gateway's list is marked as changed, and the change is logged, all in one transaction.
 */
export function createDeviceRecords(db: Db, effects: { onDevicesChanged(farmId: number): void }) {
  /** Several steps in one transaction; the functions below do them. */
  async function together<T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> {
    const result = await transact(db, work);
    effects.onDevicesChanged(farmId);
    return result;
  }
  return {
    together,

    /** Throws conflict when the MAC is in use, on whichever farm; where isn't told. */
    add(farmId: number, record: NewRecord, by: By, groups?: readonly string[]): Promise<DeviceRow> {
      return together(farmId, (trx) => addRecord(trx, farmId, record, by, groups));
    },

    /** Throws StaleRecord when `version` is not the newest. Nothing is written when nothing differs. */
    change(device: DeviceRow, change: RecordChange, by: By, version?: number): Promise<DeviceRow> {
      return together(device.farm_id, (trx) => changeRecord(trx, device, change, by, { version }));
    },

    /** The history stays. */
    remove(device: DeviceRow, by: By): Promise<void> {
      return together(device.farm_id, (trx) => removeRecord(trx, device, by));
    },
  };
}
export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

const DEADLOCK = '40P01';
const TRIES = 3;

/** What devices say locks gateways before units, and people the other way round: who loses tries again. */
async function transact<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || tried === TRIES) throw error;
    }
  }
}

export async function addRecord(
  trx: Db,
  farmId: number,
  record: NewRecord,
  by: By,
  groups: readonly string[] = [],
): Promise<DeviceRow> {
  if (record.mac) await refuseTakenMac(trx, record.mac);
  const added = await trx
    .insertInto('device')
    .values({ ...record, farm_id: farmId, created_at: by.now, updated_at: by.now })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (groups.length > 0) await setGroups(trx, farmId, [added], groups);
  if (isOnList(added)) await bumpLists(trx, farmId, [added]);
  await addToRegistry(trx, [added]);
  await logChanges(trx, [logged(added, by, 'created')], by.now);
  return added;
}

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
  if (change.mac && change.mac !== before.mac) await refuseTakenMac(trx, change.mac);
  const [after] = await changeLocked(trx, [before], change, by, what);
  return after ?? before;
}

/** The same change of several devices, in few statements. Throws notFound when one of them is gone; the number that differ now. */
export async function changeRecords(
  trx: Db,
  farmId: number,
  devices: readonly Pick<DeviceRow, 'id'>[],
  change: Omit<RecordChange, 'mac'>,
  by: By,
  what: What = 'changed',
): Promise<number> {
  const before = await lockRecords(
    trx,
    farmId,
    devices.map(({ id }) => id),
  );
  if (before.length < devices.length) throw notFound('Some of these devices are no longer on the farm.');
  return (await changeLocked(trx, before, change, by, what)).length;
}

/** Those that differ now, as they are. */
async function changeLocked(
  trx: Db,
  before: readonly DeviceRow[],
  change: RecordChange,
  by: By,
  what: What,
): Promise<DeviceRow[]> {
  const [{ farm_id: farmId } = { farm_id: 0 }] = before;
  const { settings = {}, mapping, groups, ...columns } = change;
  const ofGroups = groups && (await setGroups(trx, farmId, before, groups));
  const changes = new Map<number, FieldChange[]>();
  for (const device of before) {
    const fields = [
      ...fieldChanges(device, columns),
      ...fieldChanges(device.settings, settings),
      ...(mapping === undefined ? [] : fieldChanges({ mapping: device.mapping }, { mapping })),
    ];
    const group = ofGroups?.get(device.id);
    if (group) fields.push(group);
    if (fields.length > 0) changes.set(device.id, fields);
  }
  if (changes.size === 0) return [];
  const after = await trx
    .updateTable('device')
    .set({
      ...columns,
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
  await noteListChanges(trx, farmId, after, old);
  await addToRegistry(
    trx,
    after.filter(({ id, mac, serial_number: serial }) => {
      const was = old.get(id);
      return was?.mac !== mac || was.serial_number !== serial;
    }),
  );
  await logChanges(
    trx,
    after.map((device) => logged(device, by, what, changes.get(device.id))),
    by.now,
  );
  return after;
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

/** Throws notFound when it is gone already. What became of a converted one stands in its `fields`. */
export async function removeRecord(
  trx: Db,
  device: DeviceRow,
  by: By,
  what: 'deleted' | 'converted' = 'deleted',
  fields: readonly FieldChange[] = [],
): Promise<void> {
  const removed = await trx
    .updateTable('device')
    .set({ deleted_at: by.now, updated_at: by.now })
    .where('farm_id', '=', device.farm_id)
    .where('id', '=', device.id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!removed) throw notFound();
  await leaveGroups(trx, removed);
  if (isOnList(removed)) await bumpLists(trx, removed.farm_id, [removed]);
  await logChanges(trx, [logged(removed, by, what, fields)], by.now);
}

/** Readings are told apart by it. The lock keeps two farms from taking the same one at once: the key begins with the farm. */
async function refuseTakenMac(trx: Db, mac: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`headrace mac ${mac}`}, 0))`.execute(trx);
  const taken = await trx
    .selectFrom('device')
    .select('id')
    .where('mac', '=', mac)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (taken) throw conflict('This MAC address is already in use.', 'macAddress');
}

/** In the order of their keys, so that two who change the same ones don't deadlock. */
function lockRecords(trx: Db, farmId: number, ids: readonly number[]): Promise<DeviceRow[]> {
  return trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${ids})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

function logged(
  device: DeviceRow,
  { accountId, page }: By,
  what: What,
  fields: readonly FieldChange[] = [],
): LoggedChange {
  const { farm_id: farmId, kind, uid, name } = device;
  return { farmId, accountId, kind, uid, name, what, fields, page };
}

/** What the gateway needs to reach a unit; a new name or description can wait for the next list. */
function isListChange(before: DeviceRow, after: DeviceRow): boolean {
  const told = (unit: ListUnit) =>
    JSON.stringify([unit.serial_number, unit.mac, unit.gateway_id, radioOf(unit)]);
  return isOnList(after) && told(before) !== told(after);
}

const radioOf = ({ settings: { farmId, channel, commsMode } }: ListUnit) => [farmId, channel, commsMode];
