import { createHash, randomBytes } from 'node:crypto';
import { commandTypes } from '@headrace/contract/command-types';
import { lanes } from '@headrace/device/lanes';
import { defaultWaterApplication } from '@headrace/contract/farms';
import { presets, type Permissions } from '@headrace/contract/permissions';
import { sensorTypes, type SensorSettings } from '@headrace/contract/sensors';
import type { Act } from '@headrace/contract/undo';
import type { Db } from '../db/client.ts';
import { inBatch } from '../features/changes/change-batch.ts';
import { enqueueJob } from '../features/long-jobs/enqueue.ts';
import { newUid } from '../db/ids.ts';
import type { AccountRow, DeviceKind, DeviceRow, FarmRow, ShareRow } from '../db/schema.ts';

let count = 0;
const next = () => (count += 1);
/** Farms are named in mails, where six digits in a row are taken for a telephone number. */
let farms = 0;
const nextFarm = () => (farms += 1);
const mac = () => `70B3D5${(0x1000000000 + next()).toString(16).toUpperCase().slice(-10)}`;

export function buildAccount(
  db: Db,
  values: Partial<{
    email: string;
    name: string;
    type: 'SUBSCRIBER' | 'AGENT';
    password_hash: string;
    approved: boolean;
    is_staff: boolean;
    email_confirmed_at: Date;
    subscription_valid_until: Date;
  }> = {},
): Promise<AccountRow> {
  return db
    .insertInto('account')
    .values({
      uid: newUid(),
      email: `person${next()}@example.com`,
      name: 'A Person',
      type: 'SUBSCRIBER',
      subscription_valid_until: new Date('2099-01-01T00:00:00Z'),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildFarm(
  db: Db,
  ownerId: number,
  values: Partial<{
    name: string;
    time_zone_id: string;
    raw_offset: number;
    dst_offset: number;
    dst_enabled: boolean;
    boundary: string;
  }> = {},
): Promise<FarmRow> {
  return db
    .insertInto('farm')
    .values({
      uid: newUid(),
      owner_id: ownerId,
      name: `Farm ${nextFarm()}`,
      lat: -43.75,
      lng: 171.95,
      wal_config: JSON.stringify(defaultWaterApplication),
      time_zone_id: 'Pacific/Auckland',
      raw_offset: 43_200,
      dst_offset: 3600,
      dst_enabled: true,
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildDevice(
  db: Db,
  farmId: number,
  kind: DeviceKind,
  values: Partial<{
    name: string;
    type: number;
    mac: string;
    serial_number: string;
    settings: string;
    mapping: string;
    lat: number;
    lng: number;
  }> = {},
): Promise<DeviceRow> {
  return db
    .insertInto('device')
    .values({
      farm_id: farmId,
      uid: newUid(),
      kind,
      name: `D${next()}`,
      mac: mac(),
      serial_number: `SN${next()}`,
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function buildTank(
  db: Db,
  farmId: number,
  values: Partial<{
    name: string;
    type: number;
    mac: string;
    serial_number: string;
    settings: SensorSettings;
    mapping: string;
  }> = {},
): Promise<DeviceRow> {
  const { settings, ...rest } = values;
  return buildDevice(db, farmId, 'sensor', {
    type: sensorTypes.LEVEL_MM,
    ...rest,
    settings: JSON.stringify(settings ?? { offset: 500, height: 3000, toplevel: 2500, volume: 30_000 }),
  });
}

/** Something that was done with a device and can be undone: it is no sooner said than there; the batch's public id. */
export async function buildBatch(db: Db, device: DeviceRow, act: Act): Promise<string> {
  const { id, uid, kind, name, farm_id: farmId } = device;
  const { batchId } = await inBatch(
    db,
    farmId,
    { accountId: null, now: new Date('2026-11-20T20:00:00Z') },
    { act, title: `${name} deleted` },
    async ({ batch }) => {
      batch.records.push({ what: 'deleted', id, uid, kind, name, groups: [] });
    },
  );
  return batchId ?? '';
}

/** One that waits, of a type that nobody runs; its public id. */
export const buildLongJob = (db: Db, farmId: number, accountId: number): Promise<string> =>
  enqueueJob(db, { name: 'test' }, {}, { farmId, accountId }, new Date('2026-11-20T20:00:00Z'));

/** A message of the farm that was not taken and isn't kept; its public id. */
export async function buildDeadLetter(
  db: Db,
  farmId: number | null,
  values: { reason?: string; at?: Date; payload?: Buffer; device?: string } = {},
): Promise<string> {
  const { at = new Date('2026-11-20T20:00:00Z') } = values;
  const { id } = await db
    .insertInto('dead_letter')
    .values({
      at,
      first_at: at,
      reason: values.reason ?? 'message is not JSON',
      topic: 'headrace/v1/70B3D50000000001/up/sensor',
      sender: 'gateway 70B3D50000000001',
      farm_id: farmId,
      device: values.device ?? '',
      bytes: 7000,
      payload: values.payload ?? Buffer.from('{}'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A setting that the device has not taken yet; its public id. */
export async function buildConfigUpdate(
  db: Db,
  device: DeviceRow,
  values: { type?: number; config?: object; created_at?: Date } = {},
): Promise<string> {
  const { type = 1, config = {}, ...rest } = values;
  const uid = newUid();
  await db
    .insertInto('config_update')
    .values({
      farm_id: device.farm_id,
      device_id: device.id,
      uid,
      type,
      config: JSON.stringify(config),
      processed_at: null,
      ...rest,
    })
    .execute();
  return uid;
}

export async function buildGateway(
  db: Db,
  farmId: number,
  key = 'gateway-key',
  values: { mac?: string; type?: number } = {},
): Promise<DeviceRow> {
  const gateway = await buildDevice(db, farmId, 'gateway', values);
  await db
    .insertInto('gateway_state')
    .values({ farm_id: farmId, device_id: gateway.id, online: false })
    .execute();
  await db
    .insertInto('gateway_key')
    .values({
      mac: gateway.mac ?? '',
      farm_id: farmId,
      device_id: gateway.id,
      key_hash: createHash('sha256').update(key).digest(),
    })
    .execute();
  return gateway;
}

/** A payload codec of the farm that gives the length of what was sent as its level. */
export async function buildCodec(
  db: Db,
  farmId: number,
  script = 'function decodeUplink(input) { return { data: { levelMm: input.bytes.length } }; }',
): Promise<{ id: number; uid: string }> {
  const now = new Date('2026-11-20T20:00:00Z');
  const row = await db
    .insertInto('codec')
    .values({
      farm_id: farmId,
      uid: newUid(),
      name: `Codec ${next()}`,
      version: 1,
      off_at: null,
      off_reason: null,
      created_at: now,
      updated_at: now,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('codec_version')
    .values({ farm_id: farmId, codec_id: row.id, version: 1, script, created_at: now })
    .execute();
  return row;
}

/** An accepted share of one farm. */
export async function buildShare(
  db: Db,
  farmId: number,
  accountId: number,
  permissions: Permissions = presets.guest,
  endsAt: Date | null = null,
): Promise<ShareRow> {
  const { owner_id } = await db
    .selectFrom('farm')
    .select('owner_id')
    .where('id', '=', farmId)
    .executeTakeFirstOrThrow();
  return addShare(db, { owner_id, farm_id: farmId }, accountId, permissions, endsAt);
}

/** An accepted share of everything that an owner has. */
export const buildAccountShare = (
  db: Db,
  ownerId: number,
  accountId: number,
  permissions: Permissions = presets.guest,
  endsAt: Date | null = null,
): Promise<ShareRow> => addShare(db, { owner_id: ownerId, farm_id: null }, accountId, permissions, endsAt);

async function addShare(
  db: Db,
  of: { owner_id: number; farm_id: number | null },
  accountId: number,
  permissions: Permissions,
  endsAt: Date | null,
): Promise<ShareRow> {
  const at = new Date('2026-11-01T00:00:00Z');
  const agent = await db
    .selectFrom('account')
    .select(['email', 'name'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return db
    .insertInto('share')
    .values({
      ...of,
      uid: newUid(at),
      agent_id: accountId,
      email: agent.email,
      contact: JSON.stringify({ name: agent.name }),
      state: 'accepted',
      template: 1,
      permissions: JSON.stringify(permissions),
      ends_at: endsAt,
      sent_at: at,
      created_at: at,
      answered_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An invitation of an address without an account, with its mailed key. */
export async function buildInvite(db: Db, farmId: number, now: Date): Promise<{ uid: string; key: string }> {
  const { owner_id } = await db
    .selectFrom('farm')
    .select('owner_id')
    .where('id', '=', farmId)
    .executeTakeFirstOrThrow();
  const [uid, key] = [newUid(now), randomBytes(32).toString('base64url')];
  await db
    .insertInto('share')
    .values({
      uid,
      owner_id,
      farm_id: farmId,
      agent_id: null,
      email: `invited-${uid}@example.com`,
      state: 'pending',
      template: 4,
      permissions: JSON.stringify(presets.guest),
      key_hash: createHash('sha256').update(key).digest(),
      sent_at: now,
      created_at: now,
    })
    .execute();
  return { uid, key };
}

/** A staff member's open hour on a farm. */
export async function buildSupportSession(
  db: Db,
  farmId: number,
  accountId: number,
  now: Date,
): Promise<void> {
  await db
    .insertInto('support_session')
    .values({
      account_id: accountId,
      farm_id: farmId,
      reason: 'The owner has asked.',
      opened_at: now,
      ends_at: new Date(now.getTime() + 3_600_000),
    })
    .execute();
}

/** The gateway is connected, spoke a moment ago and holds the newest list of sprinklers. */
export async function setGatewayOnline(db: Db, gateway: DeviceRow, now: Date): Promise<void> {
  await db
    .updateTable('gateway_state')
    .set({ online: true, state_at: now, contact_at: now, acked_rev: 1 })
    .where('farm_id', '=', gateway.farm_id)
    .where('device_id', '=', gateway.id)
    .execute();
}

/** A status request that waits for its gateway; its uid. */
export async function buildQueuedCommand(
  db: Db,
  gateway: DeviceRow,
  now: Date,
  {
    unit = gateway,
    type = commandTypes.IncStatusReq,
    state = 'queued',
  }: { unit?: DeviceRow; type?: number; state?: 'queued' | 'sent' | 'failed' } = {},
): Promise<string> {
  const command = await db
    .insertInto('command')
    .values({
      farm_id: gateway.farm_id,
      uid: newUid(now),
      account_id: null,
      type,
      name: gateway.name,
      serial_number: gateway.serial_number,
      payload: '{}',
      max_open_minutes: null,
      hide_notification: false,
      result_message: null,
      created_at: now,
      expires_at: new Date(now.getTime() + 600_000),
      state,
      state_at: now,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('command_unit')
    .values({
      farm_id: gateway.farm_id,
      command_id: command.id,
      device_id: unit.id,
      gateway_id: gateway.id,
      position: 0,
      state,
      at: now,
      lane: lanes.single,
    })
    .execute();
  return command.uid;
}
