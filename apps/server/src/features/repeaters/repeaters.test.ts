import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Repeater } from '@headrace/contract/repeaters';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
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

const entry = (values: object = {}) => ({
  name: 'R1',
  serialNumber: 'RPT-1',
  macAddress: newMac(),
  ...values,
});
const add = async (values: object = {}) =>
  (await world.send('POST /repeater', { farmUID: world.farm.uid, ...entry(values) })).json<{ id: string }>()
    .id;
const change = (id: string, values: object) =>
  server.call('PUT /repeater', { headers: world.headers, body: { id, ...entry(values) } });
const get = async (deviceId: string) => (await world.get('GET /repeater', { deviceId })).json<Repeater>();

describe('a repeater', () => {
  it("is on the farm's list with what it last said", async () => {
    await buildSprinkler(server.database.db, world.farm.id, { settings: { farmId: '04:01' } });
    const macAddress = newMac();
    const id = await add({ macAddress, gatewayUID: gateway.uid, lat: -43.7, lng: 171.9 });
    await world.record(await kit.stored(id), [
      { at: '2026-11-20T18:00:00Z', values: { charge: 66 } },
      { at: '2026-11-20T20:00:00Z', values: { hops: 1 } },
    ]);
    const reply = await world.get('GET /repeater/devices', { farmUID: world.farm.uid });
    expect(reply.json()).toEqual({
      uid: world.farm.uid,
      name: world.farm.name,
      description: '',
      icon: 'farm-blue',
      lat: -43.75,
      lng: 171.95,
      boundary: [],
      farmId: '04:01',
      sync: true,
      repeaters: [
        {
          _id: id,
          farmUID: world.farm.uid,
          name: 'R1',
          description: '',
          serialNumber: 'RPT-1',
          macAddress,
          farmId: '04:01',
          lat: -43.7,
          lng: 171.9,
          gatewayUID: gateway.uid,
          charge: 66,
          chargeAt: Date.parse('2026-11-20T18:00:00Z'),
          pollTime: 0,
          statusTime: Date.parse('2026-11-20T20:00:00Z'),
          replaceBatteryAt: null,
          version: 1,
          updatedAt: '2026-11-20T21:00:00.000Z',
        },
      ],
    });
  });

  it('moves the list of its gateway when it comes, changes its MAC or goes, and not with its name', async () => {
    const macAddress = newMac();
    const id = await add({ macAddress });
    expect((await kit.revisions(gateway)).list).toBe(2);
    await change(id, { macAddress, name: 'R2' });
    expect((await kit.revisions(gateway)).list).toBe(2);
    await change(id, { name: 'R2' });
    expect((await kit.revisions(gateway)).list).toBe(3);
    await server.call('DELETE /repeater', { headers: world.headers, query: { deviceId: id } });
    expect((await kit.revisions(gateway)).list).toBe(4);
    expect((await world.get('GET /repeater', { deviceId: id })).statusCode).toBe(404);
  });

  it('shows the record as it is to whoever was slower', async () => {
    const macAddress = newMac();
    const id = await add({ macAddress });
    await change(id, { macAddress, name: 'One', version: 1 });
    const late = await change(id, { macAddress, name: 'Two', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ current: { name: 'One', version: 2 } });
  });

  it.each([
    ['a name of six', { name: 'ABCDEF' }, 'name'],
    ['no MAC', { macAddress: '' }, 'macAddress'],
    ['a gateway that is a sprinkler', { gatewayUID: 'f'.repeat(24) }, 'gatewayUID'],
  ])('is refused with %s', async (_name, values, field) => {
    const reply = await world.send('POST /repeater', { farmUID: world.farm.uid, ...entry(values) });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field });
  });

  it('has no known charge after its battery was replaced, until it reports', async () => {
    const id = await add();
    await world.record(await kit.stored(id), [{ at: '2026-11-20T20:00:00Z', values: { charge: 8 } }]);
    expect((await world.send('POST /repeater/replace-battery', { rptrUID: id })).json()).toEqual({
      success: true,
    });
    expect(await get(id)).toMatchObject({
      charge: null,
      chargeAt: null,
      replaceBatteryAt: '2026-11-20T21:00:00.000Z',
    });
    const sprinkler = await buildSprinkler(server.database.db, world.farm.id);
    expect((await world.send('POST /repeater/replace-battery', { rptrUID: sprinkler.uid })).statusCode).toBe(
      404,
    );
  });

  it("offers the farm's groups and sprinklers", async () => {
    const { db } = server.database;
    const unit = await buildSprinkler(db, world.farm.id, { name: 'A1' });
    const group = await buildGroup(db, world.farm.id, 'East', [unit]);
    const reply = await world.get('GET /farm/groups-and-ipcs-for-repeater', { farmUID: world.farm.uid });
    expect(reply.json()).toEqual({
      groups: [{ _id: group, name: 'East' }],
      ipcs: [{ _id: unit.uid, name: 'A1', serialNumber: unit.serial_number, groups: [group] }],
    });
  });
});
