import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let gateway: DeviceRow;
const changed: number[] = [];
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => changed.push(farmId) });
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  gateway = await buildGateway(server.database.db, world.farm.id);
  changed.length = 0;
});
afterAll(() => server.close());

const db = () => server.database.db;
const place = { lat: -43.71, lng: 171.91 };
const add = (values: object = {}) =>
  world.send('POST /poi', { farmUID: world.farm.uid, name: 'Gate', ...place, ...values });
const change = (body: object) => server.call('PUT /poi', { headers: world.headers, body });
const list = async () =>
  (await world.get('GET /pois', { farmUID: world.farm.uid })).json<{ pois: { name: string }[] }>().pois;
const buildPoi = () => buildDevice(db(), world.farm.id, 'poi', { name: 'Gate', ...place });

describe('a point of interest', () => {
  it('is added, read, changed and deleted', async () => {
    const { id } = (await add({ name: ' Top gate ', icon: 'gate', description: ' locked ' })).json<{
      id: string;
    }>();
    const poi = {
      _id: id,
      farmUID: world.farm.uid,
      name: 'Top gate',
      description: 'locked',
      ...place,
      icon: 'gate',
      groups: [],
      version: 1,
      createdAt: '2026-11-20T21:00:00.000Z',
      updatedAt: '2026-11-20T21:00:00.000Z',
    };
    expect(await list()).toEqual([poi]);
    expect((await world.get('GET /poi', { poiUID: id })).json()).toEqual(poi);
    const moved = { id, name: 'Top gate', lat: -43.5, lng: 171.5, icon: 'pump', version: 1 };
    expect((await change(moved)).json()).toMatchObject({
      lat: -43.5,
      lng: 171.5,
      icon: 'pump',
      description: 'locked',
      version: 2,
    });
    const late = await change({ ...moved, name: 'Mine' });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ current: { name: 'Top gate', version: 2 } });
    const removed = await server.call('DELETE /poi', { headers: world.headers, query: { poiUID: id } });
    expect(removed.json()).toMatchObject({ success: true });
    expect(await list()).toEqual([]);
    expect(changed).toHaveLength(3);
  });

  it('has a name of up to forty characters', async () => {
    expect((await add({ name: 'x'.repeat(40) })).statusCode).toBe(200);
  });

  it.each([
    ['a name of 41', { name: 'x'.repeat(41) }, 'name'],
    ['a name of blanks', { name: ' ' }, 'name'],
    ['no longitude', { lng: undefined }, 'lng'],
    ['an icon that there is not', { icon: 'skull' }, 'icon'],
  ])('is refused with %s', async (_name, values, field) => {
    const reply = await add(values);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field });
  });

  it("doesn't exist for strangers, nor as another kind of device", async () => {
    const stranger = await buildFarmWorld(server);
    const poi = await buildPoi();
    const unit = await buildSprinkler(db(), world.farm.id);
    expect((await stranger.get('GET /poi', { poiUID: poi.uid })).statusCode).toBe(404);
    expect((await world.get('GET /poi', { poiUID: unit.uid })).statusCode).toBe(404);
    expect((await change({ id: unit.uid, name: 'X', ...place })).statusCode).toBe(404);
    const query = { poiUID: unit.uid };
    expect((await server.call('DELETE /poi', { headers: world.headers, query })).statusCode).toBe(404);
  });
});

describe('a point that becomes a sprinkler', () => {
  const convert = (poi: DeviceRow, values: object = {}) =>
    world.send('POST /poi/convert', {
      poiUID: poi.uid,
      name: 'A1',
      serialNumber: 'NEW-1',
      macAddress: newMac(),
      ...values,
    });

  it('is a new one in its place, taken to have an error until it reports', async () => {
    const poi = await buildPoi();
    const { ipc } = (await convert(poi, { channel: 4, farmId: '01:02' })).json<{ ipc: Ipc }>();
    expect(ipc).toMatchObject({
      name: 'A1',
      serialNumber: 'NEW-1',
      channel: 4,
      farmId: '01:02',
      commsMode: 1,
      ...place,
      isSpareUnit: false,
      condition: 2,
    });
    expect((await kit.stored(ipc._id)).settings).toMatchObject({
      converted: { condition: 2, at: '2026-11-20T21:00:00.000Z' },
    });
    expect((await kit.stored(poi.uid)).deleted_at).toEqual(server.clock.now);
    expect((await kit.revisions(gateway)).list).toBe(2);
    expect(await kit.changes(world.farm.id)).toMatchObject([
      {
        what: 'converted',
        kind: 'poi',
        fields: [
          { field: 'kind', from: 'poi', to: 'sprinkler' },
          { field: 'uid', to: ipc._id },
        ],
      },
      { what: 'created', kind: 'sprinkler' },
    ]);
    expect(changed).toEqual([world.farm.id]);
  });

  it.each([
    ['ready', { charge: 90, clock: 0 }, 7],
    ['not ready', { charge: 60 }, 2],
  ])('is the spare with this serial number, in service there: %s', async (_name, values, condition) => {
    await buildSprinkler(db(), world.farm.id, { settings: { farmId: '01:01', channel: 4 } });
    const spare = await buildSprinkler(db(), world.farm.id, {
      serial_number: 'SPARE-9',
      settings: { isSpareUnit: true, outOfService: true, farmId: '01:01', channel: 4 },
    });
    await world.record(spare, [{ at: '2026-11-20T20:00:00Z', values }]);
    const poi = await buildPoi();
    const reply = await convert(poi, { serialNumber: 'spare-9', macAddress: spare.mac, channel: 4 });
    expect(reply.json()).toMatchObject({
      ipc: { _id: spare.uid, name: 'A1', ...place, isSpareUnit: false, outOfService: false, condition },
    });
    const history = await db()
      .selectFrom('reading')
      .select('value')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(history.length).toBeGreaterThan(0);
    expect((await kit.changes(world.farm.id)).map(({ what, kind }) => [what, kind])).toEqual([
      ['converted', 'poi'],
      ['converted', 'sprinkler'],
    ]);
  });

  it('stays a point when its MAC is in use, or a field is wrong', async () => {
    const poi = await buildPoi();
    expect((await convert(poi, { macAddress: gateway.mac })).statusCode).toBe(409);
    expect((await convert(poi, { name: 'ABCDEF' })).statusCode).toBe(400);
    expect((await convert(poi, { channel: 11 })).statusCode).toBe(400);
    expect((await list()).length).toBe(1);
    expect((await kit.revisions(gateway)).list).toBe(1);
    expect(await kit.changes(world.farm.id)).toEqual([]);
  });

  it('becomes one of them when two people convert it at once', async () => {
    const poi = await buildPoi();
    const replies = await Promise.all([convert(poi), convert(poi, { serialNumber: 'NEW-2' })]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const units = await db()
      .selectFrom('device')
      .select('id')
      .where('farm_id', '=', world.farm.id)
      .where('kind', '=', 'sprinkler')
      .execute();
    expect(units).toHaveLength(1);
  });

  it('gets the spare at one of two points that ask for it at once', async () => {
    const spare = await buildSprinkler(db(), world.farm.id, {
      serial_number: 'SPARE-2',
      settings: { isSpareUnit: true },
    });
    const values = { serialNumber: 'SPARE-2', macAddress: spare.mac };
    const points = [await buildPoi(), await buildPoi()];
    const replies = await Promise.all(points.map((poi) => convert(poi, values)));
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await list()).toHaveLength(1);
  });
});

describe('a point that becomes a sensor', () => {
  const convert = (poi: DeviceRow, values: object = {}) =>
    world.send('POST /poi/sensorconv', {
      poiUID: poi.uid,
      name: 'T1',
      serialNumber: 'TLM-1',
      macAddress: newMac(),
      type: sensorTypes.TLM_V3,
      ...values,
    });

  it('has its place, what a new sensor has, and a first value', async () => {
    const poi = await buildPoi();
    const reply = await convert(poi, { spfactor: 12 });
    expect(reply.json()).toMatchObject({
      sensor: {
        name: 'T1',
        type: 100,
        ...place,
        channel: 3,
        settings: {
          offset: 500,
          height: 3000,
          toplevel: 2500,
          volume: 30_000,
          spfactor: 12,
          litrePerPulse: 10,
        },
        status: 1,
        value: 0,
        valueInLitres: 100,
      },
    });
    expect(await list()).toEqual([]);
    expect((await kit.revisions(gateway)).list).toBe(1);
  });

  it('stays a point when its name is too long or its MAC in use', async () => {
    const poi = await buildPoi();
    expect((await convert(poi, { name: 'ABCDEF' })).statusCode).toBe(400);
    expect((await convert(poi, { macAddress: gateway.mac })).statusCode).toBe(409);
    expect(await list()).toHaveLength(1);
  });
});

describe('a sprinkler that becomes a point', () => {
  const convert = (unit: DeviceRow) =>
    server.call('PUT /placeholder/convert-to-poi', { headers: world.headers, body: { deviceId: unit.uid } });

  it('leaves the farm with its history; the point has its name and place', async () => {
    const unit = await buildDevice(db(), world.farm.id, 'sprinkler', { name: 'A1', ...place });
    await world.record(unit, [{ at: '2026-11-20T20:00:00Z', values: { charge: 80 } }]);
    expect((await convert(unit)).json()).toEqual({ name: 'A1' });
    expect(await list()).toMatchObject([{ name: 'A1', ...place }]);
    expect((await kit.stored(unit.uid)).deleted_at).not.toBeNull();
    const history = await db()
      .selectFrom('reading')
      .select('value')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(history).toEqual([{ value: 80 }]);
    expect((await kit.revisions(gateway)).list).toBe(2);
    expect((await convert(unit)).statusCode).toBe(404);
  });

  it("stands at the farm's pin when it was never placed", async () => {
    await convert(await buildSprinkler(db(), world.farm.id, { name: 'A2' }));
    expect(await list()).toMatchObject([{ name: 'A2', lat: world.farm.lat, lng: world.farm.lng }]);
  });
});
