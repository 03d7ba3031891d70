import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
const changed: number[] = [];
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => changed.push(farmId) });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  changed.length = 0;
});
afterAll(() => server.close());

let count = 0;
const newMac = () => `70b3d5ff${(count += 1).toString(16).padStart(8, '0')}`;
const add = (values: object = {}, of: FarmWorld = world) =>
  of.send('POST /sensor', {
    farmUID: of.farm.uid,
    name: 'Top tank',
    serialNumber: 'T-77',
    macAddress: newMac(),
    type: sensorTypes.LEVEL_MM,
    ...values,
  });
const remove = (uid: string) =>
  server.call('DELETE /sensor', { headers: world.headers, query: { deviceId: uid } });
const stored = (uid: string) =>
  server.database.db.selectFrom('device').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();

describe('adding a sensor', () => {
  it('stores it tidily and tells ingest', async () => {
    const mapping = [{ path: 'water.depth', metric: 'levelMm', scale: 10 }];
    const settings = { offset: 60, toplevel: 2200, height: 2400, volume: 25_000 };
    const mac = newMac();
    const values = { name: ' Top tank ', serialNumber: ' T-78 ', macAddress: mac, settings, mapping };
    const reply = await add({ ...values, lat: -43.7, lng: 171.9 });
    expect(reply.statusCode).toBe(201);
    expect(await stored(reply.json<{ id: string }>().id)).toMatchObject({
      farm_id: world.farm.id,
      kind: 'sensor',
      type: sensorTypes.LEVEL_MM,
      name: 'Top tank',
      serial_number: 'T-78',
      mac: mac.toUpperCase(),
      lat: -43.7,
      lng: 171.9,
      settings,
      mapping,
    });
    expect(changed).toEqual([world.farm.id]);
  });

  it.each([
    ['a name of blanks', { name: '  ' }, 'name'],
    ['a serial number of blanks', { serialNumber: ' ' }, 'serialNumber'],
    ['no serial number', { serialNumber: undefined }, 'serialNumber'],
    ['a MAC that is none', { macAddress: '70B3D5' }, 'macAddress'],
    ['a type that there is not', { type: 55 }, 'type'],
    ['a latitude alone', { lat: -43 }, 'lng'],
    [
      'a top level too high for its offset',
      { settings: { offset: 100, toplevel: 3101 } },
      'settings.toplevel',
    ],
    [
      'a top level too high for the usual offset of 500',
      { settings: { toplevel: 3501 } },
      'settings.toplevel',
    ],
    [
      'a metric that is not stored',
      {
        mapping: [
          { path: 'a', metric: 'levelMm' },
          { path: 'b', metric: 'depth' },
        ],
      },
      'mapping.1.metric',
    ],
  ])('is refused with %s, naming the field', async (_name, values, field) => {
    const reply = await add(values);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'invalid', field });
    expect(changed).toEqual([]);
  });

  it('says what is wrong in the words people know', async () => {
    const level = await add({ settings: { offset: 100, toplevel: 3101 } });
    expect(level.json()).toMatchObject({
      errorMessage: 'Top water level can not be greater than offset + 3000 mm',
    });
    const mapping = await add({ mapping: [{ path: 'water.depth', metric: 'depth' }] });
    expect(mapping.json<{ errorMessage: string }>().errorMessage).toContain(
      'mapping.0.metric must be one of levelMm, batteryV',
    );
  });

  it('takes a top level of exactly offset + 3000 mm', async () => {
    expect((await add({ settings: { offset: 100, toplevel: 3100 } })).statusCode).toBe(201);
  });

  it('refuses a MAC in use on this farm or another, in either case, without telling where', async () => {
    const other = await buildFarmWorld(server);
    const mac = newMac();
    expect((await add({ macAddress: mac }, other)).statusCode).toBe(201);
    const gateway = await buildDevice(server.database.db, world.farm.id, 'gateway');
    for (const macAddress of [mac, mac.toUpperCase(), gateway.mac]) {
      const reply = await add({ macAddress });
      expect(reply.statusCode).toBe(409);
      expect(reply.json()).toEqual({
        errorMessage:
          'This MAC address is already in use. If it is of a device of yours, contest it under MAC Address Lookup.',
        code: 'conflict',
        field: 'macAddress',
      });
    }
  });

  it('gives each MAC to one farm when two ask for it at once', async () => {
    const other = await buildFarmWorld(server);
    const pairs = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const entry = { macAddress: newMac(), serialNumber: `T-${n}` };
        return Promise.all([add(entry), add(entry, other)]);
      }),
    );
    for (const pair of pairs)
      expect(pair.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

describe('removing a sensor', () => {
  it('keeps its history and frees its MAC', async () => {
    const tank = await buildTank(server.database.db, world.farm.id);
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1000 } }]);
    expect((await remove(tank.uid)).json()).toMatchObject({ success: true });
    expect((await stored(tank.uid)).deleted_at).toEqual(server.clock.now);
    const history = await server.database.db
      .selectFrom('reading')
      .select('value')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(history).toEqual([{ value: 1000 }]);
    expect(changed).toEqual([world.farm.id]);
    expect((await remove(tank.uid)).statusCode).toBe(404);
    expect((await add({ macAddress: tank.mac })).statusCode).toBe(201);
  });

  it('removes nothing but sensors, and nothing of strangers', async () => {
    const theirs = await buildFarmWorld(server);
    const gateway = await buildDevice(server.database.db, world.farm.id, 'gateway');
    const foreign = await buildTank(server.database.db, theirs.farm.id);
    for (const device of [gateway, foreign]) {
      expect((await remove(device.uid)).statusCode).toBe(404);
      expect((await stored(device.uid)).deleted_at).toBeNull();
    }
    expect(changed).toEqual([]);
  });
});
