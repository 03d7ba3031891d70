import { commandTypes } from '@headrace/device/commands';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../db/client.ts';
import { newUid } from '../db/ids.ts';
import type { KeptDesign } from '../db/schema/commands.ts';
import type { DeviceRow } from '../db/schema.ts';
import { sqlClient } from '../db/sql-client.ts';
import { unitEntries } from '../features/commands/down-messages.ts';
import { wantProgrammes } from '../features/programmes/wanted-writer.ts';
import { buildDevice, buildQueuedCommand } from './factories.ts';

/** In service, heard by `gateway`; by the farm's first gateway without one. */
export async function buildSprinkler(
  db: Db,
  farmId: number,
  values: {
    name?: string;
    mac?: string;
    serial_number?: string;
    settings?: object;
    gateway?: DeviceRow;
  } = {},
): Promise<DeviceRow> {
  const { settings = {}, gateway, ...rest } = values;
  const unit = await buildDevice(db, farmId, 'sprinkler', { ...rest, settings: JSON.stringify(settings) });
  if (gateway)
    await db.updateTable('device').set({ gateway_id: gateway.id }).where('id', '=', unit.id).execute();
  return unit;
}

/** A group of these units; its uid. */
export async function buildGroup(
  db: Db,
  farmId: number,
  name: string,
  units: readonly DeviceRow[],
): Promise<string> {
  const group = await db
    .insertInto('device_group')
    .values({ farm_id: farmId, uid: newUid(), name })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow();
  const members = units.map((unit) => ({ farm_id: farmId, group_id: group.id, device_id: unit.id }));
  if (members.length > 0) await db.insertInto('device_group_member').values(members).execute();
  return group.uid;
}

/** A design of 28 min for the group; its uid. */
export async function buildTemplate(
  db: Db,
  farmId: number,
  groupUid: string,
  name = 'Summer',
): Promise<string> {
  const uid = newUid();
  const body: KeptDesign = {
    groups: [{ uid: groupUid, name: 'Group' }],
    settings: { duration: 28 },
    windy: false,
    leveling: false,
    startMin: 0,
    limits: null,
  };
  await db
    .insertInto('schedule_template')
    .values({ farm_id: farmId, uid, name, body: JSON.stringify(body), updated_at: new Date() })
    .execute();
  return uid;
}

/** A set that has these waterings for every unit; its uid. */
export async function buildScheduleSet(
  db: Db,
  farmId: number,
  units: readonly DeviceRow[],
  entries: readonly ScheduleEntry[],
): Promise<string> {
  const uid = newUid();
  const set = await db
    .insertInto('schedule_set')
    .values({ farm_id: farmId, uid, name: `Set ${uid.slice(-6)}`, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = units.map((unit) => ({
    farm_id: farmId,
    set_id: set.id,
    device_id: unit.id,
    entries: JSON.stringify(entries),
  }));
  if (rows.length > 0) await db.insertInto('schedule_set_unit').values(rows).execute();
  return uid;
}

/** These units are to water by a set with these waterings, as after a send; its uid. */
export async function buildWanted(
  db: Db,
  farmId: number,
  units: readonly DeviceRow[],
  entries: readonly ScheduleEntry[],
): Promise<string> {
  const uid = await buildScheduleSet(db, farmId, units, entries);
  const { id } = await db
    .selectFrom('schedule_set')
    .select('id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  const held = unitEntries(entries);
  const cycleDays = Math.max(1, ...entries.map(({ cycle }) => cycle));
  await wantProgrammes(
    sqlClient(db),
    { farmId, commandId: null, setId: id, cycleDays, at: new Date() },
    units.map((unit) => ({
      deviceId: unit.id,
      entries: held,
      crc: scheduleCrc(held),
      scheduleGroup: '',
    })),
  );
  await db.updateTable('farm').set({ current_set_id: id }).where('id', '=', farmId).execute();
  return uid;
}

/** A hold of one sprinkler for an hour; its uid. */
export async function buildHold(db: Db, unit: DeviceRow, now: Date): Promise<string> {
  const uid = newUid(now);
  const { id } = await db
    .insertInto('paddock_hold')
    .values({
      farm_id: unit.farm_id,
      uid,
      group_uid: '',
      name: unit.name,
      reason: 'Cows in',
      from_at: now,
      until_at: new Date(now.getTime() + 3_600_000),
      account_id: null,
      command_id: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('paddock_hold_unit')
    .values({ farm_id: unit.farm_id, hold_id: id, device_id: unit.id })
    .execute();
  return uid;
}

/** A send of this set to two units that one was reached by and that was taken back for the other; its uid. */
export async function buildHalfSent(
  db: Db,
  gateway: DeviceRow,
  [reached, other]: readonly [DeviceRow, DeviceRow],
  setUID: string,
  now: Date,
): Promise<string> {
  const uid = await buildQueuedCommand(db, gateway, now, {
    unit: reached,
    type: commandTypes.SendScheduleSet,
    state: 'failed',
  });
  const { id, farm_id } = await db
    .updateTable('command')
    .set({ payload: JSON.stringify({ setUID }), state: 'cancelled' })
    .where('uid', '=', uid)
    .returning(['id', 'farm_id'])
    .executeTakeFirstOrThrow();
  const { gateway_id, lane } = await db
    .selectFrom('command_unit')
    .select(['gateway_id', 'lane'])
    .where('farm_id', '=', farm_id)
    .where('command_id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('command_unit')
    .values({
      farm_id,
      command_id: id,
      device_id: other.id,
      gateway_id,
      position: 1,
      state: 'cancelled',
      at: now,
      lane,
    })
    .execute();
  const entries = [{ start: 60, duration: 28, cycle: 1 }];
  const wanted = { deviceId: reached.id, entries, crc: scheduleCrc(entries), scheduleGroup: '' };
  const by = { farmId: farm_id, commandId: id, setId: null, cycleDays: 1, at: now };
  await wantProgrammes(sqlClient(db), by, [wanted]);
  return uid;
}
