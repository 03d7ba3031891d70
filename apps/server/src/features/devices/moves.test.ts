import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MovedMeanwhile } from '@headrace/contract/moves';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildAccount, buildDevice, buildGateway, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** The farm of every world has its pin here and no boundary: 20 km round it are near. */
const pin = { lat: -43.75, lng: 171.95 };
/** So many km north of it. */
const north = (km: number) => ({ lat: pin.lat + km / 111.195, lng: pin.lng });

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let units: DeviceRow[];
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  kit = deviceKit(server);
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00.000Z');
  world = await buildFarmWorld(server);
  units = [];
  for (const [n, name] of ['A1', 'A2', 'A3'].entries())
    units.push(await put(await buildSprinkler(server.database.db, world.farm.id, { name }), north(n + 1)));
});
afterAll(() => server.close());

async function put(device: DeviceRow, place: object): Promise<DeviceRow> {
  const { db } = server.database;
  await db.updateTable('device').set(place).where('id', '=', device.id).execute();
  return kit.stored(device.uid);
}
const unit = (at: number) => units[at] as DeviceRow;
const placeOf = ({ lat, lng }: DeviceRow) => (lat === null || lng === null ? null : { lat, lng });
const to = (device: DeviceRow, place: object) => ({ id: device.uid, from: placeOf(device), to: place });
const move = (devices: object[], more: object = {}, of = world) =>
  of.send('POST /devices/move', { farmUID: world.farm.uid, kind: 'sprinkler', devices, ...more });
const moved = async (...of: Parameters<typeof move>) => {
  const reply = await move(...of);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ moved: number; batchId: string | null }>();
};
const places = async () => (await Promise.all(units.map(({ uid }) => kit.stored(uid)))).map(placeOf);

describe('moving devices', () => {
  it('puts each where it is wanted, logs it, leaves the gateway list alone, and is undone as one', async () => {
    const before = await places();
    const gateway = await buildGateway(server.database.db, world.farm.id);
    await kit.setGateway(unit(0), gateway);
    const { list } = await kit.revisions(gateway);
    const { moved: n, batchId } = await moved([to(unit(0), north(5)), to(unit(1), north(6))]);
    expect(n).toBe(2);
    expect(await places()).toEqual([north(5), north(6), north(3)]);
    expect((await kit.revisions(gateway)).list).toBe(list);
    expect(await kit.changes(world.farm.id)).toMatchObject([
      { name: 'A1', what: 'changed', fields: [{ field: 'lat', from: north(1).lat, to: north(5).lat }] },
      { name: 'A2', what: 'changed' },
    ]);
    const undo = { farmUID: world.farm.uid, batchId, act: 'move sprinkler' };
    expect((await world.send('POST /undo', undo)).json()).toMatchObject({ undone: 2 });
    expect(await places()).toEqual(before);
  });

  it('is refused as a whole where somebody moved one meanwhile, and says where it stands', async () => {
    const seen = unit(1);
    await moved([to(seen, north(7))]);
    const reply = await move([to(unit(0), north(5)), to(seen, north(6))]);
    expect(reply.statusCode).toBe(409);
    const { current, errorMessage } = reply.json<{ current: MovedMeanwhile; errorMessage: string }>();
    expect(errorMessage).toBe('Somebody else moved A2 meanwhile. Please look where it stands now.');
    expect(current).toEqual({ devices: [{ id: seen.uid, name: 'A2', place: north(7) }] });
    expect(await places()).toEqual([north(1), north(7), north(3)]);
  });

  it('is no conflict with a new name, nor with somebody who moved it to the same place', async () => {
    await put(unit(0), { name: 'Z9', version: 9 });
    await moved([to(unit(0), north(5))]);
    expect(await moved([to(unit(0), north(5))])).toEqual({ moved: 0, batchId: null });
  });

  it('places one that has no place', async () => {
    const bare = await buildSprinkler(server.database.db, world.farm.id, { name: 'B1' });
    await moved([to(bare, north(4))]);
    expect(placeOf(await kit.stored(bare.uid))).toEqual(north(4));
  });

  it.each(['repeater', 'sensor', 'gateway', 'poi'] as const)(
    'of the kind %s is its own act',
    async (kind) => {
      const device = await buildDevice(server.database.db, world.farm.id, kind, { name: 'Other' });
      const { batchId } = await moved([to(device, north(2))], { kind });
      expect(placeOf(await kit.stored(device.uid))).toEqual(north(2));
      // As a sprinkler it isn't known: its right would be another.
      expect((await move([to(device, north(3))])).statusCode).toBe(404);
      const undo = { farmUID: world.farm.uid, batchId, act: `move ${kind}` };
      expect((await world.send('POST /undo', undo)).statusCode).toBe(200);
      expect(placeOf(await kit.stored(device.uid))).toBeNull();
    },
  );

  it('is for those who may edit that kind, and for devices of the farm', async () => {
    const { db } = server.database;
    const helper = await buildAccount(db, { type: 'AGENT' });
    await buildShare(db, world.farm.id, helper.id, { ...presets.guest, irrigationDevices: 5 });
    const headers = await server.signIn(helper);
    const tank = await buildDevice(db, world.farm.id, 'sensor', { name: 'Tank' });
    const body = { farmUID: world.farm.uid, kind: 'sprinkler', devices: [to(unit(0), north(5))] };
    expect((await server.call('POST /devices/move', { headers, body })).statusCode).toBe(200);
    const other = { ...body, kind: 'sensor', devices: [to(tank, north(5))] };
    expect((await server.call('POST /devices/move', { headers, body: other })).statusCode).toBe(403);
    const stranger = await buildFarmWorld(server);
    const theirs = { ...body, farmUID: stranger.farm.uid };
    expect((await stranger.send('POST /devices/move', theirs)).statusCode).toBe(404);
    expect(await places()).toEqual([north(5), north(2), north(3)]);
  });

  it('names the field of what it refuses', async () => {
    const twice = await move([to(unit(0), north(5)), to(unit(0), north(6))]);
    expect(twice.json()).toMatchObject({ code: 'invalid', field: 'devices' });
    const beyond = await move([to(unit(0), { lat: 91, lng: 171 })]);
    expect(beyond.json()).toMatchObject({ code: 'invalid', field: 'devices.0.to.lat' });
  });
});

describe('a place far away', () => {
  it('is asked about before a device is moved there, and taken when it is meant', async () => {
    const asked = await move([to(unit(0), north(25))]);
    expect(asked.json()).toMatchObject({
      code: 'invalid',
      field: 'confirmFar',
      errorMessage: `A1 would stand 25 km from ${world.farm.name}. Save it there?`,
    });
    expect(await places()).toEqual([north(1), north(2), north(3)]);
    await moved([to(unit(0), north(25))], { confirmFar: true });
    expect((await places())[0]).toEqual(north(25));
  });

  it('of several is asked about once', async () => {
    const { errorMessage } = (
      await move([to(unit(0), north(4)), to(unit(1), north(25)), to(unit(2), north(30))])
    ).json<{ errorMessage: string }>();
    expect(errorMessage).toBe(
      `2 places are far away. The first: A2 would stand 25 km from ${world.farm.name}. Save them there?`,
    );
  });

  it('is one out of reach of its gateway, too', async () => {
    const built = await buildGateway(server.database.db, world.farm.id);
    const gateway = await put(built, { ...north(-10), name: 'Shed' });
    await kit.setGateway(unit(0), gateway);
    expect((await move([to(unit(0), north(8))])).json()).toMatchObject({
      errorMessage: 'A1 would stand 18 km from its gateway Shed. Save it there?',
    });
  });

  it("can't be where no device of the farm can stand, whatever is confirmed", async () => {
    const reply = await move([to(unit(0), north(4)), to(unit(1), { lat: 51.5, lng: -0.1 })], {
      confirmFar: true,
    });
    expect(reply.json()).toMatchObject({ code: 'invalid', field: 'devices.1.to' });
    expect(await places()).toEqual([north(1), north(2), north(3)]);
  });
});

describe('a device that is entered', () => {
  const entry = (place: object, name = 'N1') => ({
    farmUID: world.farm.uid,
    name,
    serialNumber: name,
    macAddress: newMac(),
    ...place,
  });
  const change = (place: object) => {
    const { uid: id, name, serial_number: serialNumber, mac: macAddress } = unit(0);
    return world.send('PUT /ipc', { id, name, serialNumber, macAddress, ...place });
  };

  it('far away is taken, and the reply says so once', async () => {
    const warning = `This place is 25 km from ${world.farm.name}.`;
    expect((await world.send('POST /ipc', entry(north(25)))).json()).toMatchObject({ warning });
    expect((await change(north(25))).json()).toMatchObject({ warning });
    expect((await change(north(25))).json()).not.toHaveProperty('warning');
    expect((await change(north(3))).json()).not.toHaveProperty('warning');
  });

  it.each([
    ['POST /ipc', () => world.send('POST /ipc', entry({ lat: 51.5, lng: -0.1 }))],
    ['PUT /ipc', () => change({ lat: 51.5, lng: -0.1 })],
    ['POST /repeater', () => world.send('POST /repeater', entry({ lat: 51.5, lng: -0.1 }))],
    ['POST /sensor', () => world.send('POST /sensor', { ...entry({ lat: 51.5, lng: -0.1 }), type: 0 })],
    ['POST /gateway', () => world.send('POST /gateway', { ...entry({ lat: 51.5, lng: -0.1 }), type: 0 })],
    ['POST /poi', () => world.send('POST /poi', { ...entry({ lat: 51.5, lng: -0.1 }) })],
  ])('where it cannot be is refused by %s', async (_key, send) => {
    const reply = await send();
    expect(reply.statusCode, reply.body).toBe(400);
    expect(reply.json()).toMatchObject({ field: 'lat' });
    expect(reply.json<{ errorMessage: string }>().errorMessage).toMatch(
      /^A device can't stand more than 500 km from its farm/,
    );
  });

  it('where it always stood can be changed otherwise', async () => {
    await put(unit(0), { lat: 51.5, lng: -0.1 });
    expect((await change({ lat: 51.5, lng: -0.1, channel: 4 })).statusCode).toBe(200);
  });

  it('on a farm whose place nobody entered is neither far nor near', async () => {
    const { db } = server.database;
    await db.updateTable('farm').set({ lat: 0, lng: 0 }).where('id', '=', world.farm.id).execute();
    const reply = await world.send('POST /ipc', entry(north(0)));
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).not.toHaveProperty('warning');
  });

  it('among many is asked about by name, and refused by its row', async () => {
    const { farmUID, ...far } = entry(north(25));
    const near = entry(north(1), 'N2');
    const add = (units_: object[], more: object = {}) =>
      world.send('POST /ipc/bulk-add', { farmUID, units: units_, ...more });
    expect((await add([near, far])).json()).toMatchObject({
      field: 'confirmFar',
      errorMessage: `N1 would stand 25 km from ${world.farm.name}. Save it there?`,
    });
    const abroad = { ...far, lat: 51.5, lng: -0.1 };
    expect((await add([near, abroad], { confirmFar: true })).json()).toMatchObject({ field: 'units.1.lat' });
    expect((await add([near, far], { confirmFar: true })).statusCode).toBe(200);
  });
});

it('moves 300 at once within a second or two, each to its own place', async () => {
  const { db } = server.database;
  const line: DeviceRow[] = [];
  for (let n = 0; n < 300; n += 1)
    line.push(await put(await buildSprinkler(db, world.farm.id, { name: `B${n}` }), north(n / 100)));
  const { moved: n } = await moved(line.map((one, at) => to(one, north(at / 50))));
  // The first was there already.
  expect(n).toBe(299);
  expect(placeOf(await kit.stored(line[299]?.uid ?? ''))).toEqual(north(299 / 50));
});
