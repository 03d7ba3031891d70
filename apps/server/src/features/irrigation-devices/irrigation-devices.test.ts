import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
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
const entry = (values: object = {}) => ({
  name: 'A1',
  serialNumber: 'IPC-1',
  macAddress: newMac(),
  ...values,
});
const add = (values: object = {}, of: FarmWorld = world) =>
  of.send('POST /ipc', { farmUID: of.farm.uid, ...entry(values) });
const added = async (values: object = {}) => (await add(values)).json<{ id: string }>().id;
const change = (id: string, values: object, of: FarmWorld = world) =>
  server.call('PUT /ipc', { headers: of.headers, body: { id, ...entry(values) } });
const get = async (deviceId: string) => (await world.get('GET /ipc', { deviceId })).json<Ipc>();
const list = async () =>
  (await world.get('GET /irrigation/devices', { farmUID: world.farm.uid })).json<{
    ipcs: Ipc[];
    farmId: string;
    sync: boolean;
  }>();
const remove = (deviceId: string, of: FarmWorld = world) =>
  server.call('DELETE /ipc', { headers: of.headers, query: { deviceId } });

describe('adding a sprinkler', () => {
  it('stores it tidily with what a new one has, and tells ingest', async () => {
    const reply = await add({
      name: ' B12 ',
      serialNumber: ' IPC-77 ',
      macAddress: '70:b3:d6:00:aa:00:00:01',
      lat: -43.7,
      lng: 171.9,
      gatewayUID: gateway.uid.toUpperCase(),
    });
    expect(reply.statusCode).toBe(200);
    const row = await kit.stored(reply.json<{ id: string }>().id);
    expect(row).toMatchObject({
      farm_id: world.farm.id,
      kind: 'sprinkler',
      type: 0,
      name: 'B12',
      serial_number: 'IPC-77',
      mac: '70B3D600AA000001',
      lat: -43.7,
      lng: 171.9,
      gateway_id: gateway.id,
      settings: {
        farmId: '01:01',
        channel: 1,
        commsMode: 1,
        isSpareUnit: false,
        isPartSprinkler: false,
        isPOI: true,
      },
    });
    expect(changed).toEqual([world.farm.id]);
    expect(await kit.changes(world.farm.id)).toEqual([
      { what: 'created', kind: 'sprinkler', name: 'B12', fields: [] },
    ]);
  });

  it('takes the radio farm id that was last used', async () => {
    await add({ farmId: '02:07', channel: 16 });
    const last = await server.call('PUT /ipc/last-farmid-and-channel', {
      headers: world.headers,
      body: { farmUID: world.farm.uid },
    });
    expect(last.json()).toEqual({ farmId: '02:07', channel: 16 });
    expect((await get(await added({ serialNumber: 'IPC-2' }))).farmId).toBe('02:07');
  });

  it.each([
    ['a name of six', { name: 'ABCDEF' }, 'name'],
    ['a name of blanks', { name: '   ' }, 'name'],
    ['a serial number of blanks', { serialNumber: ' ' }, 'serialNumber'],
    ['a MAC of 13 digits', { macAddress: '70B3D50000001' }, 'macAddress'],
    ['channel 10', { channel: 10 }, 'channel'],
    ['channel 15', { channel: 15 }, 'channel'],
    ['channel 26', { channel: 26 }, 'channel'],
    ['channel 0', { channel: 0 }, 'channel'],
    ['a radio farm id without colon', { farmId: '0101' }, 'farmId'],
    ['a latitude alone', { lat: -43.7 }, 'lng'],
    ['a latitude beyond the pole', { lat: -90.1, lng: 0 }, 'lat'],
    ['a gateway of nobody', { gatewayUID: '0'.repeat(24) }, 'gatewayUID'],
    ['a group of nobody', { groups: ['0'.repeat(24)] }, 'groups'],
    ['a mode that there is not', { commsMode: 3 }, 'commsMode'],
  ])('is refused with %s, naming the field', async (_name, values, field) => {
    const reply = await add(values);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'invalid', field });
    expect((await list()).ipcs).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('says what a value must look like', async () => {
    const sentence = async (values: object) =>
      (await add(values)).json<{ errorMessage: string }>().errorMessage;
    expect(await sentence({ channel: 10 })).toBe('channel must be 1 to 9 or 16 to 25.');
    expect(await sentence({ macAddress: 'none' })).toBe('macAddress must be 12 or 16 hex digits.');
    expect(await sentence({ farmId: '0101' })).toBe('farmId must be like 01:01.');
  });

  it.each([1, 9, 16, 25])('takes channel %i', async (channel) => {
    expect((await get(await added({ channel }))).channel).toBe(channel);
  });

  it('refuses a MAC in use on any farm, without telling where', async () => {
    const other = await buildFarmWorld(server);
    const macAddress = newMac();
    expect((await add({ macAddress }, other)).statusCode).toBe(200);
    for (const mac of [macAddress, macAddress.toLowerCase(), gateway.mac]) {
      const reply = await add({ macAddress: mac });
      expect(reply.statusCode).toBe(409);
      expect(reply.json()).toEqual({
        errorMessage:
          'This MAC address is already in use. If it is of a device of yours, contest it under MAC Address Lookup.',
        code: 'conflict',
        field: 'macAddress',
      });
    }
  });

  it('gives each MAC to one of two farms that ask for it at once', async () => {
    const other = await buildFarmWorld(server);
    const pairs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const entry = { macAddress: newMac(), serialNumber: `IPC-${n}` };
        return Promise.all([add(entry), add(entry, other)]);
      }),
    );
    for (const pair of pairs)
      expect(pair.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('changing a sprinkler', () => {
  it('changes what was sent, keeps what was not, and logs both values', async () => {
    const macAddress = newMac();
    const id = await added({ macAddress, channel: 4, description: 'By the gate', lat: -43.7, lng: 171.9 });
    const reply = await change(id, { macAddress, channel: 9 });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      channel: 9,
      description: 'By the gate',
      lat: -43.7,
      lng: 171.9,
      version: 2,
    });
    expect((await kit.changes(world.farm.id)).at(-1)).toEqual({
      what: 'changed',
      kind: 'sprinkler',
      name: 'A1',
      fields: [{ field: 'channel', from: 4, to: 9 }],
    });
    expect((await change(id, { macAddress, lat: null, lng: null })).json()).toMatchObject({
      lat: null,
      lng: null,
    });
  });

  it('writes nothing and counts no version when nothing differs', async () => {
    const macAddress = newMac();
    const id = await added({ macAddress });
    const before = await kit.revisions(gateway);
    expect((await change(id, { macAddress })).json()).toMatchObject({ version: 1 });
    expect(await kit.revisions(gateway)).toEqual(before);
    expect(await kit.changes(world.farm.id)).toHaveLength(1);
  });

  it('keeps the change of whoever was quicker, and shows it to the other', async () => {
    const macAddress = newMac();
    const id = await added({ macAddress });
    expect((await change(id, { macAddress, name: 'One', version: 1 })).statusCode).toBe(200);
    const second = await change(id, { macAddress, name: 'Two', version: 1 });
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({ field: 'version', current: { _id: id, name: 'One', version: 2 } });
    expect((await get(id)).name).toBe('One');
  });

  it('lets one of two people win who save at the same moment', async () => {
    const macAddress = newMac();
    const id = await added({ macAddress });
    const replies = await Promise.all([
      change(id, { macAddress, name: 'One', version: 1 }),
      change(id, { macAddress, name: 'Two', version: 1 }),
    ]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it("doesn't exist for strangers, nor as another kind of device", async () => {
    const id = await added();
    const stranger = await buildFarmWorld(server);
    const sensor = await buildDevice(db(), world.farm.id, 'sensor');
    expect((await change(id, {}, stranger)).statusCode).toBe(404);
    expect((await remove(id, stranger)).statusCode).toBe(404);
    expect((await change(sensor.uid, {})).statusCode).toBe(404);
    expect((await remove(sensor.uid)).statusCode).toBe(404);
    expect((await world.get('GET /ipc', { deviceId: sensor.uid })).statusCode).toBe(404);
    expect((await kit.stored(id)).deleted_at).toBeNull();
  });
});

describe('groups of a sprinkler', () => {
  it('are set when it is made and when it is changed, and leave with it', async () => {
    const east = await buildGroup(db(), world.farm.id, `East ${newMac()}`, []);
    const west = await kit.lateral(world.farm.id, 'West');
    const macAddress = newMac();
    const id = await added({ macAddress, groups: [east, west] });
    expect((await get(id)).groups.toSorted()).toEqual([east, west].toSorted());
    await change(id, { macAddress, groups: [west.toUpperCase()] });
    expect((await get(id)).groups).toEqual([west]);
    expect((await kit.changes(world.farm.id)).at(-1)?.fields).toMatchObject([
      { field: 'groups', to: ['West'] },
    ]);
    await change(id, { macAddress });
    expect((await get(id)).groups).toEqual([west]);
    await remove(id);
    const members = await db()
      .selectFrom('device_group_member')
      .select('device_id')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(members).toEqual([]);
  });

  it('are one lateral at most: both are named, nothing is stored', async () => {
    const groups = [await kit.lateral(world.farm.id, 'North'), await kit.lateral(world.farm.id, 'South')];
    const reply = await add({ groups });
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({ field: 'groups' });
    expect(reply.json<{ errorMessage: string }>().errorMessage).toContain('North, South');
    expect((await list()).ipcs).toEqual([]);
  });

  it("are the farm's own", async () => {
    const stranger = await buildFarmWorld(server);
    const theirs = await kit.lateral(stranger.farm.id, 'Theirs');
    expect((await add({ groups: [theirs] })).statusCode).toBe(400);
  });
});

describe("the gateway's list", () => {
  it('is behind after a unit came, went, or changed in what its radio needs, and after nothing else', async () => {
    const rev = async () => (await kit.revisions(gateway)).list;
    const bumps = async (work: () => Promise<unknown>) => {
      const before = await rev();
      await work();
      return (await rev()) - before;
    };
    const macAddress = newMac();
    let id = '';
    expect(await bumps(async () => (id = await added({ macAddress })))).toBe(1);
    const edits: [object, number][] = [
      [{ macAddress, name: 'Other' }, 0],
      [{ macAddress, name: 'Other', lat: -43, lng: 172 }, 0],
      [{ macAddress, name: 'Other', isPartSprinkler: true }, 0],
      [{ macAddress, name: 'Other', serialNumber: 'IPC-2' }, 1],
      [{ macAddress, name: 'Other', serialNumber: 'IPC-2', channel: 7 }, 1],
      [{ macAddress, name: 'Other', serialNumber: 'IPC-2', farmId: '0A:01' }, 1],
      [{ macAddress, name: 'Other', serialNumber: 'IPC-2', commsMode: 0 }, 1],
      [{ macAddress: newMac(), name: 'Other', serialNumber: 'IPC-2' }, 1],
    ];
    for (const [values, expected] of edits)
      expect([values, await bumps(() => change(id, values))]).toEqual([values, expected]);
    expect(await bumps(() => remove(id))).toBe(1);
  });

  it('is the list of the gateway that the unit names, and of the one that it named before', async () => {
    const second = await buildGateway(db(), world.farm.id);
    const macAddress = newMac();
    const id = await added({ macAddress, gatewayUID: second.uid });
    expect((await kit.revisions(gateway)).list).toBe(1);
    expect((await kit.revisions(second)).list).toBe(2);
    await change(id, { macAddress, gatewayUID: gateway.uid });
    expect((await kit.revisions(gateway)).list).toBe(2);
    expect((await kit.revisions(second)).list).toBe(3);
  });
});

describe('editing several sprinklers at once', () => {
  const bulk = (deviceIds: string[], changes: object, of: FarmWorld = world) =>
    of.send('POST /ipc/bulk-edit', { farmUID: of.farm.uid, deviceIds, changes });
  const units = () =>
    Promise.all(
      ['B1', 'B2', 'B3'].map((name) =>
        buildSprinkler(db(), world.farm.id, { name, settings: { channel: 2 } }),
      ),
    );

  it('changes them all in one go, and the list once', async () => {
    const west = await kit.lateral(world.farm.id, 'West');
    const three = await units();
    const reply = await bulk(
      three.map(({ uid }) => uid),
      { channel: 21, farmId: '03:03', isPartSprinkler: true, groups: [west] },
    );
    expect(reply.json()).toMatchObject({ updated: 3 });
    const { ipcs } = await list();
    expect(ipcs.map(({ channel, farmId, groups, version }) => [channel, farmId, groups, version])).toEqual([
      [21, '03:03', [west], 2],
      [21, '03:03', [west], 2],
      [21, '03:03', [west], 2],
    ]);
    expect((await kit.revisions(gateway)).list).toBe(2);
    const logged = (await kit.changes(world.farm.id)).map(({ what, name }) => `${what} ${name}`);
    expect(logged.toSorted()).toEqual(['changed B1', 'changed B2', 'changed B3']);
    expect(changed).toEqual([world.farm.id]);
  });

  it('logs and counts only those that differ now', async () => {
    const three = await units();
    await bulk([three[0]?.uid ?? ''], { channel: 5 });
    await bulk(
      three.map(({ uid }) => uid),
      { channel: 5 },
    );
    expect((await list()).ipcs.map(({ version }) => version)).toEqual([2, 2, 2]);
  });

  it.each([
    [
      'a device of a stranger',
      async () => (await buildSprinkler(db(), (await buildFarmWorld(server)).farm.id)).uid,
    ],
    ['another kind of device', async () => (await buildDevice(db(), world.farm.id, 'sensor')).uid],
    ['a device that is gone', async () => '0'.repeat(24)],
  ])('changes none when one of them is %s', async (_name, other) => {
    const three = await units();
    const reply = await bulk([...three.map(({ uid }) => uid), await other()], { channel: 9 });
    expect(reply.statusCode).toBe(404);
    expect(reply.json<{ errorMessage: string }>().errorMessage).toContain('1 of the 4');
    expect((await list()).ipcs.map(({ channel }) => channel)).toEqual([2, 2, 2]);
    expect((await kit.revisions(gateway)).list).toBe(1);
  });

  it.each([
    ['no change', {}],
    ['a change of names', { name: 'X' }],
    ['a channel that there is not', { channel: 12 }],
  ])('refuses %s', async (_name, changes) => {
    const [one] = await units();
    expect((await bulk([one?.uid ?? ''], changes)).statusCode).toBe(400);
  });

  it('refuses two lateral groups and writes nothing', async () => {
    const groups = [await kit.lateral(world.farm.id, 'North'), await kit.lateral(world.farm.id, 'South')];
    const three = await units();
    const reply = await bulk(
      three.map(({ uid }) => uid),
      { groups, channel: 9 },
    );
    expect(reply.statusCode).toBe(409);
    expect((await list()).ipcs.map(({ channel, groups: of }) => [channel, of])).toEqual([
      [2, []],
      [2, []],
      [2, []],
    ]);
  });
});
