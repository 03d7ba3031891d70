import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit } from '../../testing/device-kit.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let gateway: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  gateway = await buildGateway(server.database.db, world.farm.id);
});
afterAll(() => server.close());

const db = () => server.database.db;
const build = (values: Parameters<typeof buildSprinkler>[2] = {}) =>
  buildSprinkler(db(), world.farm.id, values);
const put = (key: string, body: object) => server.call(key, { headers: world.headers, body });
const get = async ({ uid }: DeviceRow) => (await world.get('GET /ipc', { deviceId: uid })).json<Ipc>();
const farmUID = () => ({ farmUID: world.farm.uid });

describe('a sprinkler in lists', () => {
  it('shows what it last said, with the farm and its radio', async () => {
    const unit = await build({
      name: 'A1',
      settings: { farmId: '01:02', channel: 4, commsMode: 0 },
      gateway,
    });
    await world.record(unit, [
      { at: '2026-11-20T08:00:00Z', values: { charge: 81, clock: 2 } },
      { at: '2026-11-20T09:00:00Z', values: { charge: 79 } },
    ]);
    await kit.say(unit, 'mode', 'Mesh', '2026-11-20T09:30:00Z');
    await kit.say(unit, 'polledAt', '2026-11-20T09:29:00Z', '2026-11-20T09:30:00Z');
    await db()
      .updateTable('gateway_state')
      .set({ acked_rev: 1 })
      .where('device_id', '=', gateway.id)
      .execute();
    const reply = await world.get('GET /irrigation/devices', farmUID());
    expect(reply.json()).toEqual({
      uid: world.farm.uid,
      name: world.farm.name,
      description: '',
      icon: 'farm-blue',
      lat: -43.75,
      lng: 171.95,
      boundary: [],
      farmId: '01:02',
      sync: false,
      ipcs: [
        {
          _id: unit.uid,
          id: unit.uid,
          farmUID: world.farm.uid,
          name: 'A1',
          description: '',
          serialNumber: unit.serial_number,
          macAddress: unit.mac,
          farmId: '01:02',
          channel: 4,
          commsMode: 0,
          type: 0,
          lat: null,
          lng: null,
          groups: [],
          gatewayUID: gateway.uid,
          isSpareUnit: false,
          isPartSprinkler: false,
          isPOI: true,
          isPlaceholder: false,
          outOfService: false,
          reconfigure: false,
          spareStatus: 1,
          spareReasons: [],
          mode: 'Mesh',
          pollTime: Date.parse('2026-11-20T09:29:00Z'),
          statusTime: Date.parse('2026-11-20T09:30:00Z'),
          charge: 79,
          replaceBatteryAt: null,
          version: 1,
          updatedAt: unit.updated_at.toISOString(),
        },
      ],
    });
  });

  it('shows by itself its place and its settings, too', async () => {
    const settings = { farmId: '01:02', channel: 4, commsMode: 0 };
    const place = { lat: -43.7, lng: 171.9 };
    const placed = await buildDevice(db(), world.farm.id, 'sprinkler', {
      ...place,
      settings: JSON.stringify(settings),
    });
    expect(await get(placed)).toMatchObject({
      _id: placed.uid,
      ...place,
      location: place,
      parcels: [],
      settings,
    });
    expect(await get(await build())).toMatchObject({ lat: null, lng: null, location: null });
  });

  it('are counted by what they are for, with the radios in use', async () => {
    await build({ settings: { farmId: '01:01', channel: 4 } });
    await build({ settings: { isSpareUnit: true, farmId: '02:01', channel: 4 } });
    await build({ settings: { isPlaceholder: true, outOfService: true } });
    expect((await world.get('GET /farm/podsinfo', { uid: world.farm.uid })).json()).toEqual({
      total: 3,
      inService: 1,
      spares: 1,
      placeholders: 1,
      farmIds: ['01:01', '02:01'],
      channels: [1, 4],
    });
  });

  it('are offered to repeaters', async () => {
    const unit = await build({ name: 'A1' });
    expect((await world.get('GET /ipc/farm-ipcs-for-repeater', farmUID())).json()).toEqual({
      ipcs: [{ _id: unit.uid, name: 'A1', serialNumber: unit.serial_number, macAddress: unit.mac }],
    });
  });
});

describe('a spare', () => {
  const radio = { farmId: '01:01', channel: 4 };
  const spare = (settings: object = radio, serial_number?: string) =>
    build({ ...(serial_number && { serial_number }), settings: { ...settings, isSpareUnit: true } });
  const readiness = async (unit: DeviceRow) => {
    const { ipcs } = (await world.get('GET /ipc/spare-units', farmUID())).json<{ ipcs: Ipc[] }>();
    const { spareStatus, spareReasons } = ipcs.find(({ _id }) => _id === unit.uid) as Ipc;
    return [spareStatus, spareReasons];
  };
  const at = '2026-11-20T20:00:00Z';

  it('is ready, not ready, with errors or unknown by what it said and by the units in service', async () => {
    await build({ settings: radio });
    const ready = await spare();
    await world.record(ready, [{ at, values: { charge: 70, clock: -3 } }]);
    expect(await readiness(ready)).toEqual([2, []]);
    const weak = await spare();
    await world.record(weak, [{ at, values: { charge: 69, clock: 4 } }]);
    await kit.say(weak, 'mode', 'Hibernate', at);
    expect(await readiness(weak)).toEqual([
      3,
      ['battery below 70%', 'clock drift above 3 seconds', 'hibernating'],
    ]);
    const stray = await spare({ farmId: '02:01', channel: 5 });
    await world.record(stray, [{ at, values: { charge: 90 } }]);
    expect(await readiness(stray)).toEqual([4, ['wrong farmID', 'wrong channel']]);
    expect(await readiness(await spare())).toEqual([1, ['never contacted']]);
  });

  it('with the serial number of a unit elsewhere has errors', async () => {
    const stranger = await buildFarmWorld(server);
    const twin = await spare(radio, 'TWIN-1');
    await world.record(twin, [{ at, values: { charge: 90 } }]);
    expect(await readiness(twin)).toEqual([2, []]);
    await buildSprinkler(db(), stranger.farm.id, { serial_number: 'twin-1' });
    expect(await readiness(twin)).toEqual([4, ['another faulty unit with the same serial number']]);
  });

  it('with the serial number of a placeholder or a spare elsewhere is ready: theirs is not in use', async () => {
    const stranger = await buildFarmWorld(server);
    const unit = await spare(radio, 'TWIN-2');
    await world.record(unit, [{ at, values: { charge: 90 } }]);
    for (const settings of [{ isPlaceholder: true, outOfService: true }, { isSpareUnit: true }])
      await buildSprinkler(db(), stranger.farm.id, { serial_number: 'TWIN-2', settings });
    expect(await readiness(unit)).toEqual([2, []]);
  });

  it('has errors by the stricter limits of its gateway', async () => {
    const settings = JSON.stringify({ chargeThreshold: 80 });
    await db().updateTable('gateway_state').set({ settings }).where('device_id', '=', gateway.id).execute();
    const unit = await build({ settings: { ...radio, isSpareUnit: true }, gateway });
    await world.record(unit, [{ at, values: { charge: 79 } }]);
    expect(await readiness(unit)).toEqual([4, ['battery below 80%']]);
    await world.record(unit, [{ at: '2026-11-20T20:30:00Z', values: { charge: 80 } }]);
    expect(await readiness(unit)).toEqual([2, []]);
  });

  it('goes into service and out of it', async () => {
    const unit = await build({ settings: { isSpareUnit: true, outOfService: true } });
    const flag = (status: boolean) => put('PUT /ipc/flag-as-spare', { deviceId: unit.uid, status });
    expect((await flag(false)).json()).toMatchObject({ success: true });
    expect(await get(unit)).toMatchObject({ isSpareUnit: false, outOfService: false });
    await flag(true);
    expect(await get(unit)).toMatchObject({ isSpareUnit: true, outOfService: false });
    expect((await world.get('GET /ipc/spare-units', farmUID())).json<{ ipcs: Ipc[] }>().ipcs).toHaveLength(1);
  });
});

describe('flags', () => {
  it('say that it waters part of a circle, and that it is to be set up anew', async () => {
    const unit = await build();
    await put('PUT /ipc/flag-as-part-sprinkler', { deviceId: unit.uid, status: true });
    await put('PUT /ipc/flag-reconfigure', { deviceId: unit.uid, status: true });
    expect(await get(unit)).toMatchObject({ isPartSprinkler: true, reconfigure: true, version: 3 });
    await put('PUT /ipc/flag-reconfigure', { deviceId: unit.uid, status: false });
    expect((await get(unit)).reconfigure).toBe(false);
  });

  it('are read from the query too, spelled in any case, and the body wins', async () => {
    const unit = await build();
    const ask = (key: string, query: Record<string, string>, body?: object) =>
      server.call(key, { headers: world.headers, query, ...(body && { body }) });
    const flag = (query: Record<string, string>, body?: object) =>
      ask('PUT /ipc/flag-reconfigure', query, body);
    expect((await flag({ deviceID: unit.uid, Status: 'true' })).json()).toMatchObject({ success: true });
    expect((await get(unit)).reconfigure).toBe(true);
    const elsewhere = { deviceId: 'none', status: 'perhaps' };
    expect((await flag(elsewhere, { deviceId: unit.uid, status: false })).json()).toMatchObject({
      success: true,
    });
    expect((await get(unit)).reconfigure).toBe(false);
    await flag({ status: 'true' }, { deviceId: unit.uid });
    expect((await get(unit)).reconfigure).toBe(true);
    for (const key of ['convert-to-placeholder', 'return-to-service']) {
      const reply = await ask(`PUT /placeholder/${key}`, { deviceId: unit.uid });
      expect(reply.json()).toMatchObject({ success: true });
      expect((await get(unit)).isPlaceholder).toBe(key === 'convert-to-placeholder');
    }
    expect((await ask('PUT /placeholder/convert-to-poi', { deviceId: unit.uid })).json()).toEqual({
      name: unit.name,
    });
  });

  it.each([
    ['?status=true', {}, 'deviceId is required.'],
    ['?deviceId=none&status=true', undefined, 'deviceId must be '],
    ['?status=perhaps', { deviceId: newUid() }, 'status must be boolean.'],
    ['?status=true', { deviceId: newUid(), status: 'true' }, 'status must be boolean.'],
  ])('are checked alike wherever they stand: %s %j', async (query, body, fault) => {
    const reply = await server.call(`PUT /ipc/flag-reconfigure${query}`, {
      headers: world.headers,
      ...(body && { body }),
    });
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      expect.stringContaining(fault),
    ]);
  });

  it("don't touch other kinds of devices", async () => {
    const sensor = await buildDevice(db(), world.farm.id, 'sensor');
    for (const key of [
      'PUT /ipc/flag-as-spare',
      'PUT /ipc/flag-as-part-sprinkler',
      'PUT /ipc/flag-reconfigure',
    ])
      expect((await put(key, { deviceId: sensor.uid, status: true })).statusCode).toBe(404);
    for (const key of ['convert-to-placeholder', 'convert-to-poi', 'return-to-service'])
      expect((await put(`PUT /placeholder/${key}`, { deviceId: sensor.uid })).statusCode).toBe(404);
    expect((await world.send('POST /ipc/replace-battery', { ipcUID: sensor.uid })).statusCode).toBe(404);
    expect((await kit.stored(sensor.uid)).version).toBe(1);
  });
});

describe('a placeholder', () => {
  it('keeps everything but its service, and comes back', async () => {
    const unit = await build({ name: 'A1', serial_number: 'IPC-PH' });
    expect(
      (await put('PUT /placeholder/convert-to-placeholder', { deviceId: unit.uid })).json(),
    ).toMatchObject({
      success: true,
    });
    expect(await get(unit)).toMatchObject({
      isPlaceholder: true,
      outOfService: true,
      name: 'A1',
      serialNumber: 'IPC-PH',
      macAddress: unit.mac,
    });
    await put('PUT /ipc/flag-as-spare', { deviceId: unit.uid, status: false });
    expect((await get(unit)).outOfService).toBe(true);
    await put('PUT /placeholder/return-to-service', { deviceId: unit.uid });
    expect(await get(unit)).toMatchObject({ isPlaceholder: false, outOfService: false });
    expect((await kit.changes(world.farm.id)).map(({ what }) => what)).toEqual([
      'converted',
      'changed',
      'converted',
    ]);
  });
});

describe('the serial number of a placeholder', () => {
  it('may be that of another unit, its MAC may not; then it comes back under another number only', async () => {
    const unit = await build({ name: 'A1', serial_number: 'IPC-PH' });
    await put('PUT /placeholder/convert-to-placeholder', { deviceId: unit.uid });
    const add = (macAddress: string) =>
      world.send('POST /ipc', { ...farmUID(), name: 'A2', serialNumber: 'IPC-PH', macAddress });
    const refused = await add(unit.mac ?? '');
    expect([refused.statusCode, refused.json<{ field: string }>().field]).toEqual([409, 'macAddress']);
    expect(await get(unit)).toMatchObject({ macAddress: unit.mac, isPlaceholder: true });
    expect((await add('0004A3FFFE123456')).statusCode).toBe(200);
    const back = await put('PUT /placeholder/return-to-service', { deviceId: unit.uid });
    expect([back.statusCode, back.json<{ field: string }>().field]).toEqual([409, 'serialNumber']);
  });
});

describe('a replaced battery', () => {
  it('has no known charge until the unit reports again', async () => {
    const unit = await build();
    await world.record(unit, [{ at: '2026-11-20T20:59:00Z', values: { charge: 12 } }]);
    expect((await world.send('POST /ipc/replace-battery', { ipcUID: unit.uid })).json()).toEqual({
      success: true,
    });
    expect(await get(unit)).toMatchObject({ charge: null, replaceBatteryAt: '2026-11-20T21:00:00.000Z' });
    await world.record(unit, [{ at: '2026-11-20T21:00:01Z', values: { charge: 97 } }]);
    expect((await get(unit)).charge).toBe(97);
    expect(await kit.changes(world.farm.id)).toMatchObject([{ what: 'replaced battery', name: unit.name }]);
  });
});

describe('starting over', () => {
  it('forgets the numbers of schedule entries, and each gateway with units has to take its list again', async () => {
    const second = await buildGateway(db(), world.farm.id);
    const idle = await buildGateway(db(), world.farm.id);
    const [first, other] = [await build(), await build({ gateway: second })];
    for (const unit of [first, other])
      await world.record(unit, [{ at: '2026-11-20T20:00:00Z', values: { scheduleNum: 6, charge: 80 } }]);
    expect((await world.send('POST /ipc/reset-schedules-index', farmUID())).json()).toEqual({
      success: true,
    });
    const latest = await db()
      .selectFrom('latest')
      .innerJoin('series', 'series.id', 'latest.series_id')
      .select(['metric', 'value'])
      .where('latest.farm_id', '=', world.farm.id)
      .execute();
    expect(latest.map(({ metric, value }) => `${metric} ${value}`).toSorted()).toEqual([
      'charge 80',
      'charge 80',
      'scheduleNum 0',
      'scheduleNum 0',
    ]);
    const lists = await Promise.all([gateway, second, idle].map((one) => kit.revisions(one)));
    expect(lists.map(({ list }) => list)).toEqual([2, 2, 1]);
  });

  it('forgets the places of sprinklers, or of all devices but points of interest and the farm', async () => {
    const place = { lat: -43.7, lng: 171.9 };
    for (const kind of ['gateway', 'sprinkler', 'repeater', 'sensor', 'poi'] as const)
      await buildDevice(db(), world.farm.id, kind, place);
    await build();
    const reset = async (which: string) =>
      (await server.call(`DELETE /irrigation/${which}`, { headers: world.headers, query: farmUID() })).json();
    const placed = async () => {
      const rows = await db()
        .selectFrom('device')
        .select('kind')
        .where('farm_id', '=', world.farm.id)
        .where('lat', 'is not', null)
        .execute();
      return rows.map(({ kind }) => kind).toSorted();
    };
    const counted = async () =>
      (
        await server.call('GET /irrigation/placed', { headers: world.headers, query: farmUID() })
      ).json<object>();
    expect(await counted()).toEqual({ sprinklers: 1, gateways: 1, repeaters: 1, sensors: 1 });
    expect(await reset('reset-location')).toMatchObject({ success: true, reset: 1 });
    expect(await counted()).toEqual({ sprinklers: 0, gateways: 1, repeaters: 1, sensors: 1 });
    expect(await placed()).toEqual(['gateway', 'poi', 'repeater', 'sensor']);
    expect(await reset('reset-all-location')).toMatchObject({ success: true, reset: 3 });
    expect(await counted()).toEqual({ sprinklers: 0, gateways: 0, repeaters: 0, sensors: 0 });
    expect(await placed()).toEqual(['poi']);
    expect(await reset('reset-all-location')).toMatchObject({ success: true, reset: 0 });
    expect(await kit.changes(world.farm.id)).toMatchObject([
      {
        what: 'reset location',
        kind: 'sprinkler',
        fields: [
          { from: -43.7, to: null },
          { from: 171.9, to: null },
        ],
      },
      { what: 'reset location' },
      { what: 'reset location' },
      { what: 'reset location' },
    ]);
  });
});
