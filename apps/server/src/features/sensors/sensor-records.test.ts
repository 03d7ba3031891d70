import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorRecord } from '@headrace/contract/sensors';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let tank: DeviceRow;
const changed: number[] = [];
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => changed.push(farmId) });
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  tank = await buildTank(server.database.db, world.farm.id, { name: 'Top tank', serial_number: 'T-100' });
  changed.length = 0;
});
afterAll(() => server.close());

const { LEVEL_MM, SOIL_MOISTURE, TLM_V3 } = sensorTypes;
const get = async (deviceId = tank.uid) =>
  (await world.get('GET /sensor', { deviceId })).json<SensorRecord>();
const change = (values: object, of: FarmWorld = world) =>
  server.call('PUT /sensor', {
    headers: of.headers,
    body: {
      id: tank.uid,
      name: 'Top tank',
      serialNumber: 'T-100',
      macAddress: tank.mac,
      type: LEVEL_MM,
      ...values,
    },
  });
const settings = (values: object, sensorUid = tank.uid) =>
  world.send('POST /sensor/settingsupdate', { sensorUid, settings: values });

describe('sensors in lists', () => {
  it('show what they are and when they were heard', async () => {
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 900 } }]);
    const reply = await world.get('GET /sensor/devices', { farmUid: world.farm.uid });
    expect(reply.json()).toMatchObject({
      uid: world.farm.uid,
      name: world.farm.name,
      description: '',
      icon: 'farm-blue',
      lat: -43.75,
      lng: 171.95,
      boundary: [],
      sensors: [
        {
          _id: tank.uid,
          farmUID: world.farm.uid,
          name: 'Top tank',
          serialNumber: 'T-100',
          macAddress: tank.mac,
          type: LEVEL_MM,
          channel: 3,
          settings: { offset: 500, height: 3000, toplevel: 2500, volume: 30_000 },
          statusTime: Date.parse('2026-11-20T20:00:00Z'),
          status: 2,
          version: 1,
        },
      ],
    });
  });

  it.each([
    ['just now', '2026-11-20T21:00:00Z', 2],
    ['3 hours ago', '2026-11-20T18:00:00Z', 2],
    ['a second more', '2026-11-20T17:59:59Z', 3],
    ['24 hours ago', '2026-11-19T21:00:00Z', 3],
    ['a second more than that', '2026-11-19T20:59:59Z', 4],
  ])('heard %s have their class of status', async (_name, at, status) => {
    await world.record(tank, [{ at, values: { levelMm: 900 } }]);
    expect((await get()).status).toBe(status);
  });

  it('never heard are unknown', async () => {
    expect(await get()).toMatchObject({ status: 1, statusTime: 0 });
  });

  it('are found by type and by a part of name or serial number', async () => {
    const { db } = server.database;
    const soil = await buildDevice(db, world.farm.id, 'sensor', {
      type: SOIL_MOISTURE,
      name: 'Flat 100%_dry',
      serial_number: 'S-1',
    });
    const find = async (query: Record<string, string>) =>
      (await world.get('GET /sensor/list', { farmUid: world.farm.uid, ...query }))
        .json<{ sensors: { id: string }[] }>()
        .sensors.map(({ id }) => id);
    expect(await find({})).toEqual([soil.uid, tank.uid]);
    expect(await find({ type: '2' })).toEqual([soil.uid]);
    expect(await find({ type: '0,2' })).toEqual([soil.uid, tank.uid]);
    expect(await find({ type: '100' })).toEqual([]);
    expect(await find({ filter: 'TOP' })).toEqual([tank.uid]);
    expect(await find({ filter: 't-10' })).toEqual([tank.uid]);
    expect(await find({ filter: '%_d' })).toEqual([soil.uid]);
    expect(await find({ filter: '100' })).toEqual([soil.uid, tank.uid]);
    expect((await world.get('GET /sensor/list', { farmUid: world.farm.uid, type: 'x' })).statusCode).toBe(
      400,
    );
  });
});

describe('a changed sensor', () => {
  it('keeps what was not sent, and its settings member by member', async () => {
    const reply = await change({ name: 'House tank', settings: { volume: 22_500 }, channel: 16 });
    expect(reply.json()).toMatchObject({
      name: 'House tank',
      channel: 16,
      settings: { offset: 500, height: 3000, toplevel: 2500, volume: 22_500 },
      version: 2,
    });
    expect((await kit.changes(world.farm.id)).at(-1)?.fields).toEqual([
      { field: 'name', from: 'Top tank', to: 'House tank' },
      { field: 'volume', from: 30_000, to: 22_500 },
      { field: 'channel', from: null, to: 16 },
    ]);
    expect(changed).toEqual([world.farm.id]);
  });

  it('shows the record as it is to whoever was slower', async () => {
    await change({ name: 'One', version: 1 });
    const late = await change({ name: 'Two', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ current: { name: 'One', version: 2 } });
  });

  it('may have any MAC but one in use', async () => {
    const other = await buildTank(server.database.db, (await buildFarmWorld(server)).farm.id);
    expect((await change({ macAddress: other.mac })).statusCode).toBe(409);
    const macAddress = newMac();
    expect((await change({ macAddress })).json()).toMatchObject({ macAddress });
  });

  it("doesn't exist for strangers", async () => {
    expect((await change({}, await buildFarmWorld(server))).statusCode).toBe(404);
  });
});

describe('settings of a sensor', () => {
  it.each([
    ['offset', { offset: -1 }, 'Offset can not be less than 0'],
    ['toplevel', { toplevel: 3501 }, 'Top water level can not be greater than offset + 3000 mm'],
    ['volume', { volume: -1 }, 'Tank volume can not be less than 0'],
    ['height', { height: -1 }, 'Tank height can not be less than 0'],
    ['litrePerPulse', { litrePerPulse: 0 }, 'Volume per pulse can not be less than 1'],
    ['height', { height: 100 }, 'Tank height can not be less than the top water level'],
    ['offset', { offset: 99_999 }, 'Offset can not be more than 20000 mm'],
    ['offset', { offset: 2500 }, 'Offset must be less than the top water level'],
    [
      'sensorInstallDate',
      { sensorInstallDate: '2026-11-20T21:00:01Z' },
      'Sensor install date can not be in the future',
    ],
  ])('are refused in the words of the form: %s', async (field, values, errorMessage) => {
    for (const reply of [await settings(values), await change({ settings: values })]) {
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ errorMessage, field: `settings.${field}` });
    }
    expect((await kit.stored(tank.uid)).version).toBe(1);
  });

  it('hold together with what the sensor has: a lower offset needs a lower top level', async () => {
    expect((await settings({ toplevel: 3500 })).json()).toMatchObject({ field: 'settings.height' });
    expect((await settings({ toplevel: 3500, height: 3500 })).json()).toEqual({ success: true });
    expect((await settings({ offset: 400 })).statusCode).toBe(400);
    expect((await settings({ offset: 400, toplevel: 3400 })).statusCode).toBe(200);
    expect((await get()).settings).toMatchObject({ offset: 400, toplevel: 3400 });
  });

  it('of an analog flow meter speak of its zero value', async () => {
    const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: 1 });
    expect((await settings({ offset: -1 }, meter.uid)).json()).toMatchObject({
      errorMessage: 'Zero value can not be less than 0',
    });
  });

  it('put the meter of a TLM at the inlet unless said, and take its direction with it', async () => {
    await change({ type: TLM_V3, settings: { enabledFlow: true } });
    expect((await get()).settings.flowDirection).toBe(0);
    await settings({ flowDirection: 1 });
    expect((await get()).settings.flowDirection).toBe(1);
    await settings({ enabledFlow: false });
    expect((await get()).settings.flowDirection).toBeNull();
  });

  it('of a new tank are the usual ones where none are given', async () => {
    const reply = await world.send('POST /sensor', {
      farmUID: world.farm.uid,
      name: 'New',
      serialNumber: 'N-1',
      macAddress: newMac(),
      type: TLM_V3,
      settings: { volume: 9000, unknown: 'left out' },
    });
    const { id } = reply.json<{ id: string }>();
    expect((await kit.stored(id)).settings).toEqual({
      offset: 500,
      height: 3000,
      toplevel: 2500,
      volume: 9000,
      spfactor: 10,
      litrePerPulse: 10,
      commsMode: 3,
      channel: 3,
    });
  });

  it('take part of a radio factor, and none beyond measure', async () => {
    const create = (spfactor: number) =>
      world.send('POST /sensor', {
        farmUID: world.farm.uid,
        name: 'New',
        serialNumber: `N-${spfactor}`,
        macAddress: newMac(),
        type: LEVEL_MM,
        settings: { spfactor },
      });
    expect((await create(1.5)).statusCode).toBe(201);
    expect((await create(2 ** 31)).json()).toMatchObject({ field: 'settings.spfactor' });
  });

  it.each([
    ['a MAC of 12 digits is reached locally', '00:04:A3:0F:0D:01', '0004A30F0D02', 1],
    ['a DevEUI is reached over LoRa', '00:04:a3:0b:00:1c:05:30', '0004A30B001C0531', 3],
  ])('unless told, a sensor with %s', async (_name, macAddress, mac, commsMode) => {
    const entry = { farmUID: world.farm.uid, name: 'New', serialNumber: 'N-2', macAddress, type: LEVEL_MM };
    const { id } = (await world.send('POST /sensor', entry)).json<{ id: string }>();
    expect((await kit.stored(id)).settings).toMatchObject({ commsMode });
    const old = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: SOIL_MOISTURE, mac });
    expect((await get(old.uid)).settings).toEqual({ commsMode });
  });

  it('keep their comms mode, and take no other than 0 to 3', async () => {
    for (const commsMode of [0, 1, 2, 3]) {
      expect((await settings({ commsMode })).statusCode).toBe(200);
      expect((await get()).settings.commsMode).toBe(commsMode);
      const list = await world.get('GET /sensor/devices', { farmUid: world.farm.uid });
      expect(list.json()).toMatchObject({ sensors: [{ settings: { commsMode } }] });
    }
    expect((await change({ settings: { commsMode: 2 } })).json()).toMatchObject({
      settings: { commsMode: 2 },
    });
    for (const commsMode of [-1, 4, 1.5, 'LoRa'])
      for (const reply of [await settings({ commsMode }), await change({ settings: { commsMode } })]) {
        expect(reply.statusCode).toBe(400);
        expect(reply.json()).toMatchObject({ field: 'settings.commsMode' });
      }
    expect((await get()).settings.commsMode).toBe(2);
  });
});
