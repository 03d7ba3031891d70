import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, NewDevice } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import { fieldChanges, type LoggedChange, logChanges } from '../changes/change-log.ts';
import { bumpLists, isOnList, type ListUnit } from './list-sync.ts';

/** Who does it, and when. */
export interface By {
  readonly accountId: number;
  readonly now: Date;
}

export type NewRecord = Omit<NewDevice, 'farm_id'>;
/** What of a device is entered by people; `settings` are merged member by member. */
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
}

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
  return {
    /** Throws conflict when the MAC is in use, on whichever farm; where isn't told. */
    async add(farmId: number, record: NewRecord, by: By): Promise<DeviceRow> {
      const added = await db.transaction().execute((trx) => addRecord(trx, farmId, record, by));
      effects.onDevicesChanged(farmId);
      return added;
    },

    /** Throws StaleRecord when `version` is not the newest. Nothing is written when nothing differs. */
    async change(device: DeviceRow, change: RecordChange, by: By, version?: number): Promise<DeviceRow> {
      const changed = await db.transaction().execute((trx) => changeRecord(trx, device, change, by, version));
      effects.onDevicesChanged(device.farm_id);
      return changed;
    },

    /** The history stays. */
    async remove(device: DeviceRow, by: By): Promise<void> {
      await db.transaction().execute((trx) => removeRecord(trx, device, by));
      effects.onDevicesChanged(device.farm_id);
    },

    /** Several steps in one transaction; the functions below do them. */
    async together<T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> {
      const result = await db.transaction().execute(work);
      effects.onDevicesChanged(farmId);
      return result;
    },
  };
}
export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

export async function addRecord(trx: Db, farmId: number, record: NewRecord, by: By): Promise<DeviceRow> {
  if (record.mac) await refuseTakenMac(trx, record.mac);
  const added = await trx
    .insertInto('device')
    .values({ ...record, farm_id: farmId, created_at: by.now, updated_at: by.now })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isOnList(added)) await bumpLists(trx, farmId, [added]);
  await logChanges(trx, [logged(added, by, 'created')], by.now);
  return added;
}

export async function changeRecord(
  trx: Db,
  device: DeviceRow,
  change: RecordChange,
  by: By,
  version?: number,
): Promise<DeviceRow> {
  const before = await locked(trx, device);
  if (version !== undefined && version !== before.version) throw new StaleRecord(before);
  const { settings = {}, mapping, ...columns } = change;
  const fields = [
    ...fieldChanges(before, columns),
    ...fieldChanges(before.settings, settings),
    ...(mapping === undefined ? [] : fieldChanges({ mapping: before.mapping }, { mapping })),
  ];
  if (fields.length === 0) return before;
  if (change.mac && change.mac !== before.mac) await refuseTakenMac(trx, change.mac);
  const after = await trx
    .updateTable('device')
    .set({
      ...columns,
      settings: JSON.stringify({ ...before.settings, ...settings }),
      ...(mapping !== undefined && { mapping: mapping === null ? null : JSON.stringify(mapping) }),
      version: before.version + 1,
      updated_at: by.now,
    })
    .where('farm_id', '=', before.farm_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isListChange(before, after)) await bumpLists(trx, before.farm_id, [before, after]);
  await logChanges(trx, [{ ...logged(after, by, 'changed'), fields }], by.now);
  return after;
}

export async function removeRecord(
  trx: Db,
  device: DeviceRow,
  by: By,
  what: 'deleted' | 'converted' = 'deleted',
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('device')
    .set({ deleted_at: by.now, updated_at: by.now })
    .where('farm_id', '=', device.farm_id)
    .where('id', '=', device.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  if (isOnList(device)) await bumpLists(trx, device.farm_id, [device]);
  await logChanges(trx, [logged(device, by, what)], by.now);
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

function locked(trx: Db, { farm_id, id }: DeviceRow): Promise<DeviceRow> {
  return trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farm_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

function logged(device: DeviceRow, { accountId }: By, what: LoggedChange['what']): LoggedChange {
  const { farm_id: farmId, kind, uid, name } = device;
  return { farmId, accountId, kind, uid, name, what, fields: [] };
}

/** What the gateway needs to reach a unit; a new name or description can wait for the next list. */
function isListChange(before: DeviceRow, after: DeviceRow): boolean {
  const told = (unit: ListUnit) =>
    JSON.stringify([unit.serial_number, unit.mac, unit.gateway_id, radioOf(unit)]);
  return isOnList(after) && told(before) !== told(after);
}

const radioOf = ({ settings: { farmId, channel, commsMode } }: ListUnit) => [farmId, channel, commsMode];
