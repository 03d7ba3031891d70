import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Backup, RestorePlan } from '@headrace/contract/backups';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../../db/schema.ts';
import { buildBackup } from '../../../testing/backup-factories.ts';
import {
  buildAccount,
  buildDevice,
  buildFarm,
  buildGateway,
  buildShare,
} from '../../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../../testing/farm-world.ts';
import {
  buildGroup,
  buildScheduleSet,
  buildSprinkler,
  buildTemplate,
} from '../../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let gateway: DeviceRow;
let a1: DeviceRow;
let a2: DeviceRow;
let north: string;
let summer: string;
let address = '';
let number = 0;
const db = () => server.database.db;
const mac = () => `0004B2${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());

beforeEach(async () => {
  address = `198.51.101.${(number += 1)}`;
  world = await buildFarmWorld(server);
  const { farm } = world;
  gateway = await buildGateway(db(), farm.id, 'key', { mac: mac() });
  const unit = (name: string, settings = {}) =>
    buildSprinkler(db(), farm.id, { name, mac: mac(), serial_number: `IPC${name}`, settings, gateway });
  a1 = await unit('A1', { channel: 16, farmId: '01:01', commsMode: 0 });
  a2 = await unit('A2', { isSpareUnit: true });
  north = await buildGroup(db(), farm.id, 'North', [a1, a2]);
  await buildDevice(db(), farm.id, 'poi', { name: 'Gate', lat: -43.75, lng: 171.95 });
  await buildDevice(db(), farm.id, 'repeater', { name: 'R1', mac: mac(), serial_number: 'RPT1' });
  await buildTemplate(db(), farm.id, north, 'Spring');
  summer = await buildScheduleSet(db(), farm.id, [a1], [{ start: 60, duration: 28, cycle: 1 }]);
});

const call = (key: string, body?: object, query?: Record<string, string>, headers = world.headers) =>
  server.call(key, { headers, address, ...(body && { body }), ...(query && { query }) });
async function done<T>(key: string, body?: object, query?: Record<string, string>): Promise<T> {
  const reply = await call(key, body, query);
  expect([key, reply.statusCode, reply.body]).toEqual([key, 200, expect.any(String)]);
  return reply.json<T>();
}
const ofFarm = () => ({ farmUID: world.farm.uid });
const back = (desc = 'Before lambing') => done<Backup>('POST /backup', { ...ofFarm(), desc });
const list = () => done<Backup[]>('GET /backup/list', undefined, ofFarm());
const plan = (bakUID: string) => done<RestorePlan>('POST /backup/plan', { ...ofFarm(), bakUID });
const restore = (bakUID: string, more: object = {}) =>
  done<{ restored: number; stayed: number; batchId: string | null }>('PUT /backup/restore', {
    ...ofFarm(),
    bakUID,
    ...more,
  });
const undo = (batchId: unknown) =>
  done<{ batchId: string }>('POST /undo', { ...ofFarm(), act: 'restore', batchId });
const templates = () =>
  db().selectFrom('schedule_template').select('uid').where('farm_id', '=', world.farm.id).execute();
/** The whole configuration, as the farm's own export has it. */
async function configuration(): Promise<unknown> {
  const { exportedAt: _at, ...site } = JSON.parse(
    (await call('GET /export/site-json', undefined, ofFarm())).body,
  ) as Record<string, unknown>;
  return site;
}
const liveDevice = (uid: string) =>
  db()
    .selectFrom('device')
    .selectAll()
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

// First, while the server has one farm.
describe('by night', () => {
  it('a farm that was changed since is backed up once, after 04:10 by its own clock', async () => {
    const { now } = server.clock;
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const mine = async () => (await list()).map(({ desc, automatic, by }) => [desc, automatic, by]);
    // 04:09 and 04:11 of the farm's clock, which is 13 h ahead in summer.
    server.clock.now = new Date('2026-11-21T15:09:00Z');
    await server.runJob('farm backups');
    expect(await mine()).toEqual([]);
    server.clock.now = new Date('2026-11-21T15:11:00Z');
    await server.runJob('farm backups');
    await server.runJob('farm backups');
    expect(await mine()).toEqual([['Nightly', true, '']]);
    server.clock.now = new Date('2026-11-22T15:11:00Z');
    await server.runJob('farm backups');
    expect(await mine()).toHaveLength(1);
    await done('POST /group', { ...ofFarm(), name: 'East' });
    await server.runJob('farm backups');
    expect(await mine()).toHaveLength(2);
    await server.runJob('farm backups');
    expect((await list()).map(({ fault, provedAt }) => [fault, provedAt === null])).toEqual([
      ['', false],
      ['', false],
    ]);
    server.clock.now = now;
  });

  it('that was missed is made up for by day, when nothing was changed for an hour', async () => {
    const { now } = server.clock;
    // 12:00, 12:59 and 13:00 of the farm's clock.
    server.clock.now = new Date('2026-11-20T23:00:00Z');
    await done('POST /group', { ...ofFarm(), name: 'South' });
    server.clock.now = new Date('2026-11-20T23:59:00Z');
    await server.runJob('farm backups');
    expect(await list()).toEqual([]);
    server.clock.now = new Date('2026-11-21T00:00:00Z');
    await server.runJob('farm backups');
    expect(await list()).toMatchObject([{ desc: 'Nightly' }]);
    server.clock.now = now;
  });

  it('is backed up whatever becomes of another farm', async () => {
    const { now } = server.clock;
    const { pool } = server.database;
    const other = await buildFarmWorld(server);
    await done('POST /group', { ...ofFarm(), name: 'South' });
    await call('POST /group', { farmUID: other.farm.uid, name: 'South' }, undefined, other.headers);
    await pool.query(
      `alter table farm_backup add constraint one_bad_farm check (farm_id <> ${world.farm.id})`,
    );
    server.clock.now = new Date('2026-11-21T15:11:00Z');
    await server.runJob('farm backups');
    await pool.query('alter table farm_backup drop constraint one_bad_farm');
    expect(await list()).toEqual([]);
    const its = await call('GET /backup/list', undefined, { farmUID: other.farm.uid }, other.headers);
    expect(its.json()).toMatchObject([{ desc: 'Nightly' }]);
    server.clock.now = now;
  });
});

/** Both units are in the set for the group North. */
async function setOfGroup(): Promise<string> {
  const uid = await buildScheduleSet(db(), world.farm.id, [a1, a2], [{ start: 60, duration: 28, cycle: 1 }]);
  await server.database.pool.query(
    `update schedule_set_unit u set group_uid = $2, group_name = 'North' from schedule_set s
      where s.uid = $1 and s.farm_id = u.farm_id and s.id = u.set_id`,
    [uid, north],
  );
  return uid;
}
const shareSerial = (isShared: boolean) =>
  db()
    .updateTable('device')
    .set({ serial_number: isShared ? 'IPCA1' : 'IPCA2', shares_serial: isShared })
    .where('uid', '=', a2.uid)
    .execute();

describe('a trial goes well', () => {
  it('with a set whose group was deleted', async () => {
    await setOfGroup();
    await done('DELETE /group', undefined, { groupId: north });
    expect(await back()).toMatchObject({ fault: '', provedAt: expect.any(String) });
  });

  it('with units that share a serial number, and each gets its own lines back', async () => {
    const set = await setOfGroup();
    await shareSerial(true);
    const made = await back();
    expect(made).toMatchObject({ fault: '', provedAt: expect.any(String) });
    const units = async () =>
      (
        await server.database.pool.query(
          'select u.device_id from schedule_set_unit u join schedule_set s on s.id = u.set_id and s.farm_id = u.farm_id where s.uid = $1 order by 1',
          [set],
        )
      ).rows;
    await server.database.pool.query('delete from schedule_set where uid = $1', [set]);
    await restore(made._id);
    expect(await units()).toEqual([{ device_id: a1.id }, { device_id: a2.id }]);
  });

  it('as a look at a plan does, while commands are sent, MACs taken and templates written', async () => {
    const { _id } = await back();
    await db()
      .transaction()
      .execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('headrace macs', 0))`.execute(trx);
        await sql`select from device where farm_id = ${world.farm.id} for update`.execute(trx);
        await sql`select from schedule_template where farm_id = ${world.farm.id} for update`.execute(trx);
        expect((await plan(_id)).rows).toEqual([]);
        expect(await back('Another')).toMatchObject({ fault: '', provedAt: expect.any(String) });
      });
  });

  it('later where it could not be done, which says nothing of the backup', async () => {
    const { now } = server.clock;
    await shareSerial(true);
    const uid = await buildBackup(db(), world.farm);
    await shareSerial(false);
    await server.runJob('farm backups');
    expect(await list()).toMatchObject([{ _id: uid, provedAt: null, fault: '' }]);
    const bell = db().selectFrom('notification').select('title').where('account_id', '=', world.owner.id);
    expect(await bell.execute()).toEqual([]);
    await shareSerial(true);
    server.clock.now = new Date(now.getTime() + 3_600_000);
    await server.runJob('farm backups');
    expect(await list()).toMatchObject([{ _id: uid, provedAt: server.clock.now.toISOString(), fault: '' }]);
    server.clock.now = now;
  });
});

describe('a backup of a farm', () => {
  it('is restored on trial at once, and says who made it and what is in it', async () => {
    const made = await back();
    expect(made).toMatchObject({
      desc: 'Before lambing',
      by: world.owner.name,
      automatic: false,
      fault: '',
      provedAt: server.clock.now.toISOString(),
      counts: {
        sprinklers: 2,
        gateways: 1,
        repeaters: 1,
        sensors: 0,
        pois: 1,
        groups: 1,
        schedules: 1,
        templates: 1,
      },
    });
    expect(await list()).toEqual([made]);
  });

  it('leaves nothing of the trial behind', async () => {
    const count = async () =>
      (
        await server.database.pool.query(
          `select (select count(*) from farm) farms, (select count(*) from device) devices,
            (select count(*) from change_log where farm_id = $1) changes, (select count(*) from change_batch) batches`,
          [world.farm.id],
        )
      ).rows;
    const before = await count();
    await back();
    expect(await count()).toEqual(before);
  });

  it('is told to the owner when it is not what was written, and can not be restored', async () => {
    const uid = await buildBackup(db(), world.farm);
    await db()
      .updateTable('farm_backup')
      .set({ sha256: Buffer.alloc(32) })
      .where('uid', '=', uid)
      .execute();
    await server.runJob('farm backups');
    const fault = 'It could not be restored on trial: This backup is damaged: it is not what was written.';
    expect(await list()).toMatchObject([{ _id: uid, provedAt: null, fault }]);
    const bell = await db()
      .selectFrom('notification')
      .select(['title', 'message'])
      .where('account_id', '=', world.owner.id)
      .execute();
    expect(bell).toEqual([
      {
        title: `A backup of ${world.farm.name} can't be relied on`,
        message: `${fault} Please make another one.`,
      },
    ]);
    expect((await call('PUT /backup/restore', { ...ofFarm(), bakUID: uid })).statusCode).toBe(409);
  });

  it('is refused as the sixteenth of a person, and deleted for good', async () => {
    for (let made = 0; made < 15; made += 1) await buildBackup(db(), world.farm);
    const refused = await call('POST /backup', { ...ofFarm(), desc: '' });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        errorMessage:
          'The farm has 15 backups that people made, the most there can be. Please delete one first.',
      },
    ]);
    const [first] = await list();
    await done('DELETE /backup', undefined, { bakUID: first?._id ?? '' });
    expect(await list()).toHaveLength(14);
    await back();
  });

  it('has a description of at most 250 characters', async () => {
    expect((await call('POST /backup', { ...ofFarm(), desc: 'x'.repeat(251) })).statusCode).toBe(400);
  });

  it('is made by whoever may change the farm: others see the list alone', async () => {
    const guest = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), world.farm.id, guest.id, presets.guest);
    const headers = await server.signIn(guest);
    expect((await call('GET /backup/list', undefined, ofFarm(), headers)).statusCode).toBe(200);
    expect((await call('POST /backup', { ...ofFarm(), desc: '' }, undefined, headers)).statusCode).toBe(403);
  });

  it('of another farm is not found, with the published sentence', async () => {
    const other = await buildFarm(db(), world.owner.id);
    const uid = await buildBackup(db(), other);
    const reply = await call('PUT /backup/restore', { ...ofFarm(), bakUID: uid });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      404,
      { errorMessage: `Sorry, cant find the backup with UID ${uid}!` },
    ]);
  });
});

describe('what a restore would do', () => {
  it('is told record by record, and nothing is written', async () => {
    const { _id } = await back();
    expect((await plan(_id)).rows).toEqual([]);
    await done('PUT /ipc', {
      id: a1.uid,
      name: 'B1',
      serialNumber: 'IPCA1',
      macAddress: a1.mac,
      lat: -43.7,
      lng: 171.9,
    });
    await done('DELETE /ipc', undefined, { deviceId: a2.uid });
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const before = await configuration();
    const { rows, counts } = await plan(_id);
    expect(counts).toEqual({ 'come back': 1, 'change back': 1, 'take off': 1, stay: 0 });
    expect(rows.map(({ kind, name, action, fields }) => [kind, name, action, fields])).toEqual([
      ['group', 'South', 'take off', []],
      [
        'sprinkler',
        'A1',
        'change back',
        [
          { field: 'name', from: 'B1', to: 'A1' },
          { field: 'lat', from: -43.7, to: null },
          { field: 'lng', from: 171.9, to: null },
        ],
      ],
      ['sprinkler', 'A2', 'come back', []],
    ]);
    expect(await configuration()).toEqual(before);
  });

  it('is refused with the new plan when the farm was changed since', async () => {
    const { _id } = await back();
    const { revision } = await plan(_id);
    await done('POST /group', { ...ofFarm(), name: 'South' });
    const late = await call('PUT /backup/restore', { ...ofFarm(), bakUID: _id, revision });
    expect([late.statusCode, late.json<{ current: RestorePlan }>().current.counts]).toEqual([
      409,
      { 'come back': 0, 'change back': 0, 'take off': 1, stay: 0 },
    ]);
  });
});

describe('a restore', () => {
  it('brings back a unit with its history, and makes a backup of before', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: a1.uid });
    await restore(_id);
    expect(await configuration()).toEqual(before);
    expect((await liveDevice(a1.uid))?.id).toBe(a1.id);
    expect((await list()).map(({ desc, automatic }) => [desc, automatic])).toEqual([
      ['Before restore Before lambing', true],
      ['Before lambing', false],
    ]);
  });

  it('tells the gateway that its list has changed', async () => {
    const revision = async () =>
      (
        await db()
          .selectFrom('gateway_state')
          .select('list_rev')
          .where('device_id', '=', gateway.id)
          .executeTakeFirst()
      )?.list_rev;
    const { _id } = await back();
    await done('PUT /ipc', { id: a1.uid, name: 'A1', serialNumber: 'OTHER', macAddress: a1.mac });
    const before = Number(await revision());
    await restore(_id);
    expect(await revision()).toBeGreaterThan(before);
  });

  it('gives serial numbers back that went from one unit to another', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: a2.uid });
    await done('PUT /ipc', { id: a1.uid, name: 'A1', serialNumber: 'IPCA2', macAddress: a1.mac });
    await restore(_id);
    expect(await configuration()).toEqual(before);
  });

  it('leaves a gateway its MAC and its key where the hardware was replaced, and says so', async () => {
    const { _id } = await back();
    const next = mac();
    await done('PUT /gateway', {
      id: gateway.uid,
      name: 'Other',
      serialNumber: 'G2',
      macAddress: next,
      type: gateway.type ?? 0,
    });
    await done('POST /gateway/rotate-key', { deviceId: gateway.uid });
    const why = `It keeps the MAC address ${next} and the serial number G2: the hardware signs in with it. In the backup the MAC address is ${gateway.mac}.`;
    expect((await plan(_id)).rows).toMatchObject([
      { action: 'change back', why, fields: [{ field: 'name' }] },
    ]);
    await restore(_id);
    expect(await liveDevice(gateway.uid)).toMatchObject({
      name: gateway.name,
      mac: next,
      serial_number: 'G2',
    });
    const keys = await db()
      .selectFrom('gateway_key')
      .select('mac')
      .where('device_id', '=', gateway.id)
      .execute();
    expect(keys).toEqual([{ mac: next }]);
    expect((await plan(_id)).rows).toMatchObject([{ action: 'stay', why }]);
  });

  it('leaves a unit away whose hardware has taken the place of another one', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: a2.uid });
    await done('PUT /ipc', { id: a1.uid, name: 'A1', serialNumber: 'IPCA2', macAddress: a2.mac });
    expect((await plan(_id)).rows).toMatchObject([
      { name: 'A1', action: 'stay' },
      { name: 'A2', action: 'stay', why: `It can't come back: the MAC address ${a2.mac} is in use as A1.` },
    ]);
    await restore(_id);
    expect(await liveDevice(a1.uid)).toMatchObject({ mac: a2.mac, serial_number: 'IPCA2' });
    expect(await liveDevice(a2.uid)).toBeUndefined();
  });

  it('leaves a relay overridden as it is, and its undo too', async () => {
    const pump = (title: string, overriddenAt: string | null) => ({
      relay1: { title, binding: gateway.uid, overriddenAt },
    });
    const write = (settings: object) =>
      server.database.pool.query(
        `insert into gateway_io (farm_id, device_id, settings) values ($1, $2, $3)
          on conflict (farm_id, device_id) do update set settings = excluded.settings`,
        [world.farm.id, gateway.id, JSON.stringify(settings)],
      );
    const relay = async () =>
      (
        await db()
          .selectFrom('gateway_io')
          .select('settings')
          .where('device_id', '=', gateway.id)
          .executeTakeFirstOrThrow()
      ).settings;
    await write(pump('Pump', '2026-11-01T00:00:00.000Z'));
    const { _id } = await back();
    await write(pump('Pump', null));
    expect((await plan(_id)).rows).toEqual([]);
    await write(pump('Trough', null));
    const { batchId } = await restore(_id);
    expect(await relay()).toEqual(pump('Pump', null));
    const since = '2026-11-19T00:00:00.000Z';
    await write(pump('Pump', since));
    await done('POST /undo', { ...ofFarm(), act: 'restore', batchId });
    expect(await relay()).toEqual(pump('Trough', since));
  });

  it('gives a template its name back that a newer one has, and its undo as well', async () => {
    const { _id } = await back();
    const before = await configuration();
    const [spring] = await templates();
    await done('DELETE /schedule-template', undefined, { templateUID: spring?.uid ?? '' });
    await buildTemplate(db(), world.farm.id, north, 'Spring');
    await buildScheduleSet(db(), world.farm.id, [a1], []);
    const changed = await configuration();
    const { batchId } = await restore(_id);
    expect(await configuration()).toEqual(before);
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(before);
  });

  it('whose undo would need the name of a template that was made since says so', async () => {
    const { _id } = await back();
    const autumn = await buildTemplate(db(), world.farm.id, north, 'Autumn');
    const { batchId } = await restore(_id);
    await buildTemplate(db(), world.farm.id, north, 'Autumn');
    const refused = await call('POST /undo', { ...ofFarm(), act: 'restore', batchId });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        current: {
          conflicts: [
            {
              uid: autumn,
              canPutBack: false,
              why: 'The farm has another schedule template named Autumn now. Please rename that one first.',
            },
          ],
        },
      },
    ]);
  });

  it('is undone where what it brought back has the names, serial numbers and MACs of what it took off', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: a2.uid });
    await done('POST /ipc', { ...ofFarm(), name: 'New', serialNumber: 'IPCA2', macAddress: a2.mac });
    await done('DELETE /group', undefined, { groupId: north });
    await done('POST /group', { ...ofFarm(), name: 'North' });
    const changed = await configuration();
    const { batchId } = await restore(_id);
    const restored = await configuration();
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(restored);
  });

  it('waits for whoever takes a set into use, and leaves it', async () => {
    const { _id } = await back();
    const autumn = await buildScheduleSet(db(), world.farm.id, [a1], []);
    const client = await server.database.pool.connect();
    await client.query('begin');
    await client.query('select from schedule_set where uid = $1 for share', [autumn]);
    const restoring = restore(_id);
    await expect
      .poll(
        async () =>
          (
            await server.database.pool.query(
              "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%schedule_set%'",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await client.query(
      'update farm set current_set_id = (select id from schedule_set where uid = $2) where id = $1',
      [world.farm.id, autumn],
    );
    await client.query('commit');
    client.release();
    expect(await restoring).toMatchObject({ stayed: 1 });
  });

  it('lets a unit come back without the MAC that another farm has by now', async () => {
    const { _id } = await back();
    await done('DELETE /ipc', undefined, { deviceId: a1.uid });
    const other = await buildFarm(db(), world.owner.id);
    await buildSprinkler(db(), other.id, { name: 'Z1', mac: a1.mac ?? '', serial_number: 'Z1' });
    expect((await plan(_id)).rows).toMatchObject([
      {
        name: 'A1',
        action: 'come back',
        why: `It comes back without its MAC address ${a1.mac}, which is in use on another farm.`,
      },
    ]);
    await restore(_id);
    expect(await liveDevice(a1.uid)).toMatchObject({ name: 'A1', mac: null });
  });

  it('keeps the set that the farm waters by, and says so', async () => {
    const { _id } = await back();
    const autumn = await buildScheduleSet(db(), world.farm.id, [a1], []);
    const { id } = await db()
      .selectFrom('schedule_set')
      .select('id')
      .where('uid', '=', autumn)
      .executeTakeFirstOrThrow();
    await db().updateTable('farm').set({ current_set_id: id }).where('id', '=', world.farm.id).execute();
    expect((await plan(_id)).rows).toMatchObject([
      {
        kind: 'schedule set',
        action: 'stay',
        why: 'The farm waters by it. Send another set to the whole farm first.',
      },
    ]);
    await restore(_id);
    const { curr_set: current } = await done<{ curr_set: string }>('GET /schedules', undefined, ofFarm());
    expect(current).toBe(autumn);
  });

  it('brings a deleted schedule set and template back', async () => {
    const before = await configuration();
    const { _id } = await back();
    await done('DELETE /schedules', undefined, { ...ofFarm(), setUID: summer });
    const [template] = await templates();
    await done('DELETE /schedule-template', undefined, { templateUID: template?.uid ?? '' });
    await restore(_id);
    expect(await configuration()).toEqual(before);
  });

  it('can be undone as one, and done again', async () => {
    const { _id } = await back();
    await done('POST /group', { ...ofFarm(), name: 'South' });
    await done('PUT /ipc', { id: a1.uid, name: 'B1', serialNumber: 'IPCB1', macAddress: a1.mac });
    await done('DELETE /gateway', undefined, { deviceId: gateway.uid });
    await done('PUT /farm', { id: world.farm.uid, ...farmEntry, name: 'Other' });
    const changed = await configuration();
    const { batchId } = await restore(_id);
    const restored = await configuration();
    expect(restored).not.toEqual(changed);
    const undone = await undo(batchId);
    expect(await configuration()).toEqual(changed);
    await undo(undone.batchId);
    expect(await configuration()).toEqual(restored);
  });
});

const farmEntry = {
  name: 'Farm',
  address: { fullAddress: '1 Race Road, Hinds' },
  lat: -43.75,
  lng: 171.95,
  boundary: [
    { lat: -43.75, lng: 171.95 },
    { lat: -43.75, lng: 171.96 },
    { lat: -43.76, lng: 171.96 },
  ],
};

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe('whatever is changed after a backup', () => {
  /** What people do, of which some is refused, as a form would. */
  async function edit(roll: (sides: number) => number): Promise<string> {
    const devices = await db()
      .selectFrom('device')
      .selectAll()
      .where('farm_id', '=', world.farm.id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    const groups = await db()
      .selectFrom('device_group')
      .selectAll()
      .where('farm_id', '=', world.farm.id)
      .orderBy('id')
      .execute();
    const units = devices.filter(({ kind }) => kind === 'sprinkler');
    const [unit, group, other] = [
      units[roll(units.length)],
      groups[roll(groups.length)],
      units[roll(units.length)],
    ];
    const name = `${'ABC'[roll(3)]}${roll(99)}`;
    const place = { lat: -43.7 - roll(90) / 1000, lng: 171.9 + roll(90) / 1000 };
    const given = unit && {
      id: unit.uid,
      name,
      serialNumber: unit.serial_number,
      macAddress: unit.mac ?? '',
    };
    const edits: [string, object?, Record<string, string>?][] = [
      ['POST /ipc', { ...ofFarm(), name, serialNumber: `N${roll(9999)}`, macAddress: mac() }],
      ['POST /group', { ...ofFarm(), name: `Group ${roll(50)}` }],
      ['POST /poi', { ...ofFarm(), name: `Gate ${roll(50)}`, ...place }],
      [
        'PUT /farm',
        { id: world.farm.uid, ...farmEntry, name: `Farm ${roll(50)}`, description: `${roll(50)}` },
      ],
      [
        'POST /import/file',
        {
          ...ofFarm(),
          typeFile: 'podlist',
          filename: 'x.csv',
          data: `name;serial;mac;group\nQ${roll(99)};S${roll(99)};${mac()};West ${roll(5)}`,
        },
      ],
    ];
    if (given) {
      edits.push(
        ['PUT /ipc', { ...given, ...place }],
        ['PUT /ipc', { ...given, serialNumber: `S${roll(9999)}` }],
      );
      edits.push(['DELETE /ipc', undefined, { deviceId: given.id }]);
    }
    if (group) {
      edits.push(['PUT /group', { id: group.uid, name: `Group ${roll(50)}`, isLateral: roll(2) === 1 }]);
      edits.push(['DELETE /group', undefined, { groupId: group.uid }]);
      if (other) edits.push(['PUT /group/devices/add', { groupId: group.uid, ipcs: [other.uid] }]);
      if (other) edits.push(['PUT /group/devices/remove', { groupId: group.uid, ipcs: [other.uid] }]);
    }
    const gone = devices.find(({ kind }) => kind === 'gateway');
    if (gone && roll(4) === 0) edits.push(['DELETE /gateway', undefined, { deviceId: gone.uid }]);
    const [key, body, query] = edits[roll(edits.length)] ?? edits[0] ?? [''];
    const { statusCode } = await call(key, body, query);
    expect([200, 201, 400, 409]).toContain(statusCode);
    return `${key} ${statusCode}`;
  }

  it.each([1, 2, 3, 4, 5, 6])(
    'a restore gives the same farm, and its undo the changed one (%i)',
    async (seed) => {
      const roll = dice(seed * 7919);
      const before = await configuration();
      const { _id } = await back();
      const did: string[] = [];
      for (let step = 0; step < 20; step += 1) did.push(await edit(roll));
      const changed = await configuration();
      const { batchId } = await restore(_id);
      expect({ did, farm: await configuration() }).toEqual({ did, farm: before });
      if (batchId !== null) await done('POST /undo', { ...ofFarm(), act: 'restore', batchId });
      expect({ did, farm: await configuration() }).toEqual({ did, farm: changed });
    },
  );
});
