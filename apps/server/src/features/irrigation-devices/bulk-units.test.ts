import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup } from '../../testing/irrigation-factories.ts';
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

const unit = (n: number, values: object = {}) => ({
  name: `A${n}`,
  serialNumber: `IPC-${n}`,
  macAddress: newMac(),
  ...values,
});
const units = (count: number) => Array.from({ length: count }, (_none, n) => unit(n + 1));
const farmUID = () => world.farm.uid;
const add = (rows: object[], of: FarmWorld = world) =>
  of.send('POST /ipc/bulk-add', { farmUID: of.farm.uid, units: rows });
const check = (rows: object[]) => world.send('POST /ipc/bulk-check', { farmUID: farmUID(), units: rows });
const list = async () =>
  (await world.get('GET /irrigation/devices', { farmUID: farmUID() })).json<{ ipcs: Ipc[] }>().ipcs;
const idsOf = async (rows: object[]) => (await add(rows)).json<{ ids: string[] }>().ids;

describe('adding several sprinklers', () => {
  it('stores all in one step: groups, gateway, list, log and register', async () => {
    const group = await buildGroup(server.database.db, world.farm.id, 'North', []);
    const before = await kit.revisions(gateway);
    const rows = [
      unit(1, { lat: -43.7, lng: 171.9, channel: 16, commsMode: 2, gatewayUID: gateway.uid }),
      unit(2, { groups: [group] }),
      unit(3, { groups: [group], isSpareUnit: true }),
    ];
    const reply = await add(rows);
    expect(reply.statusCode).toBe(200);
    const { ids } = reply.json<{ ids: string[] }>();
    expect(ids).toHaveLength(3);
    const stored = await list();
    expect(
      stored.map(({ _id, name, lat, channel, commsMode, groups, isSpareUnit }) => [
        ids.indexOf(_id),
        name,
        lat,
        channel,
        commsMode,
        groups,
        isSpareUnit,
      ]),
    ).toEqual([
      [0, 'A1', -43.7, 16, 2, [], false],
      [1, 'A2', null, 1, 1, [group], false],
      [2, 'A3', null, 1, 1, [group], true],
    ]);
    expect(stored[0]?.gatewayUID).toBe(gateway.uid);
    expect((await kit.revisions(gateway)).list).toBe(before.list + 1);
    expect((await kit.changes(world.farm.id)).map(({ what, name }) => [what, name])).toEqual([
      ['created', 'A1'],
      ['created', 'A2'],
      ['created', 'A3'],
    ]);
    expect(changed).toEqual([world.farm.id]);
    const found = await world.get('GET /mac', { serialNumber: 'IPC-2' });
    expect(found.json<{ mac: string }>().mac).toBe(rows[1]?.macAddress);
  });

  it.each([
    ['a name of six', [unit(1), unit(2, { name: 'ABCDEF' })], 'units.1.name'],
    [
      'a serial number twice, in another case',
      [unit(1), unit(2, { serialNumber: 'ipc-1' })],
      'units.1.serialNumber',
    ],
    ['a MAC of zeros', [unit(1, { macAddress: '000000000000' })], 'units.0.macAddress'],
    ['a latitude alone', [unit(1), unit(2), unit(3, { lat: -43 })], 'units.2.lng'],
    ['a gateway of nobody', [unit(1, { gatewayUID: '0'.repeat(24) })], 'gatewayUID'],
    ['a group of nobody', [unit(1, { groups: ['0'.repeat(24)] })], 'groups'],
  ])('adds none where one has %s, naming the row', async (_name, rows, field) => {
    const reply = await add(rows);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field });
    expect(await list()).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('says which row, what is wrong with it, and how many more there are', async () => {
    const macAddress = newMac();
    const rows = [
      unit(1),
      unit(2, { macAddress }),
      unit(3, { macAddress }),
      unit(4, { serialNumber: 'IPC-1' }),
    ];
    expect((await add(rows)).json<{ errorMessage: string }>().errorMessage).toBe(
      'Row 3: Row 2 has the same. 1 more row needs a change. Nothing was added.',
    );
  });

  it('refuses what other devices have: a serial number of this farm, a MAC of any', async () => {
    const other = await buildFarmWorld(server);
    const [theirs, ours] = [newMac(), newMac()];
    await add([unit(1, { macAddress: theirs })], other);
    await add([unit(9, { macAddress: ours })]);
    expect((await add([unit(1, { macAddress: theirs })])).json()).toMatchObject({
      errorMessage: 'Row 1: This MAC address is already in use. Nothing was added.',
      field: 'units.0.macAddress',
    });
    expect(
      (await add([unit(1), unit(2, { serialNumber: 'IPC 9' }), unit(3, { serialNumber: 'IPC-9' })])).json(),
    ).toMatchObject({
      field: 'units.2.serialNumber',
    });
    expect(await list()).toHaveLength(1);
  });

  it('takes 5,000 within seconds, and no more', async () => {
    const started = performance.now();
    const many = Array.from({ length: 5000 }, (_none, n) =>
      unit(n, { name: n.toString(36), serialNumber: `BULK${n}`, lat: -43.7, lng: 171.9 + n / 1e5 }),
    );
    const reply = await add(many);
    expect(reply.statusCode).toBe(200);
    expect(await list()).toHaveLength(5000);
    console.log(`5,000 sprinklers added in ${Math.round(performance.now() - started)} ms`);
    expect((await add([...many, unit(1)])).statusCode).toBe(400);
  });

  it('lets one of two have a MAC that both add at once', async () => {
    const other = await buildFarmWorld(server);
    const macs = Array.from({ length: 120 }, newMac);
    const rows = (of: string) =>
      macs.map((macAddress, n) => unit(n, { macAddress, serialNumber: `${of}${n}` }));
    const replies = await Promise.all([
      add(rows('A')),
      add(rows('B'), other),
      other.send('POST /ipc', {
        farmUID: other.farm.uid,
        ...unit(1, { macAddress: macs[7], serialNumber: 'C' }),
      }),
    ]);
    const { rows: found } = await server.database.pool.query(
      'select mac from device where mac = any($1) and deleted_at is null group by mac having count(*) > 1',
      [macs],
    );
    expect(found).toEqual([]);
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
});

describe('checking rows before they are added', () => {
  it('finds MACs by the serial number, and says what others have; nothing is written', async () => {
    const known = newMac();
    const gone = (await idsOf([unit(1, { serialNumber: 'OLD-1', macAddress: known })]))[0] ?? '';
    await server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: gone } });
    const inUse = newMac();
    await add([unit(2, { serialNumber: 'IN-USE', macAddress: inUse })]);
    const free = newMac();
    const reply = await check([
      { serialNumber: ' old-1 ', macAddress: '' },
      { serialNumber: 'NEW-1', macAddress: free.toLowerCase() },
      { serialNumber: 'UNKNOWN', macAddress: '' },
      { serialNumber: 'in-use', macAddress: '' },
      { serialNumber: 'NEW-1', macAddress: newMac() },
    ]);
    expect(reply.statusCode).toBe(200);
    const taken =
      'Serial number in-use is in use on this farm as the sprinkler A2. Please check the number, or delete A2 first.';
    expect(reply.json()).toEqual({
      units: [
        { macAddress: known, serialNumberFault: null, macAddressFault: null },
        { macAddress: free, serialNumberFault: null, macAddressFault: null },
        { macAddress: '', serialNumberFault: null, macAddressFault: null },
        {
          macAddress: inUse,
          serialNumberFault: taken,
          macAddressFault: 'This MAC address is in use on this farm as A2.',
        },
        { macAddress: expect.any(String), serialNumberFault: 'Row 2 has the same.', macAddressFault: null },
      ],
    });
    expect(await list()).toHaveLength(1);
  });
});

describe('changing several sprinklers', () => {
  const edit = (deviceIds: string[], changes: object) =>
    world.send('POST /ipc/bulk-edit', { farmUID: farmUID(), deviceIds, changes });

  it('sets their gateway, which takes its list again, or takes it away', async () => {
    const ids = await idsOf(units(3));
    const before = await kit.revisions(gateway);
    expect((await edit(ids, { gatewayUID: gateway.uid })).json()).toMatchObject({ updated: 3 });
    expect((await list()).map(({ gatewayUID }) => gatewayUID)).toEqual(Array(3).fill(gateway.uid));
    expect((await kit.revisions(gateway)).list).toBeGreaterThan(before.list);
    await edit(ids.slice(0, 1), { gatewayUID: null });
    expect((await list()).map(({ gatewayUID }) => gatewayUID)).toEqual([null, gateway.uid, gateway.uid]);
    expect((await edit(ids, { gatewayUID: '0'.repeat(24) })).json()).toMatchObject({ field: 'gatewayUID' });
  });

  it('makes them spares, and takes them into service: placeholders stay out of it', async () => {
    const ids = await idsOf(units(2));
    await edit(ids, { isSpareUnit: true });
    expect((await list()).map(({ isSpareUnit }) => isSpareUnit)).toEqual([true, true]);
    await world.send('PUT /placeholder/convert-to-placeholder', { deviceId: ids[1] });
    await edit(ids, { isSpareUnit: false });
    expect((await list()).map(({ isSpareUnit, outOfService }) => [isSpareUnit, outOfService])).toEqual([
      [false, false],
      [false, true],
    ]);
  });
});

describe('deleting several sprinklers', () => {
  const remove = (deviceIds: string[], of: FarmWorld = world) =>
    of.send('POST /ipc/bulk-delete', { farmUID: of.farm.uid, deviceIds });

  it('takes them off the farm and out of their groups, and tells the gateway once', async () => {
    const group = await buildGroup(server.database.db, world.farm.id, 'North', []);
    const ids = await idsOf([unit(1, { groups: [group] }), unit(2), unit(3)]);
    const before = await kit.revisions(gateway);
    const reply = await remove(ids.slice(0, 2));
    expect(reply.json()).toMatchObject({ deleted: 2 });
    expect((await list()).map(({ name }) => name)).toEqual(['A3']);
    expect((await kit.revisions(gateway)).list).toBe(before.list + 1);
    expect((await kit.changes(world.farm.id)).slice(3).map(({ what, name }) => [what, name])).toEqual([
      ['deleted', 'A1'],
      ['deleted', 'A2'],
    ]);
    // Their numbers are free.
    expect((await add([unit(1), unit(2)])).statusCode).toBe(200);
  });

  it("deletes none where one isn't there, or is another farm's", async () => {
    const other = await buildFarmWorld(server);
    const ids = await idsOf(units(2));
    for (const foreign of [
      '0'.repeat(24),
      (await add([unit(1)], other)).json<{ ids: string[] }>().ids[0] ?? '',
    ]) {
      const reply = await remove([...ids, foreign]);
      expect(reply.statusCode).toBe(404);
      expect(reply.json<{ errorMessage: string }>().errorMessage).toBe(
        '1 of the 3 sprinklers are not on this farm. Please choose again.',
      );
    }
    expect(await list()).toHaveLength(2);
  });
});
