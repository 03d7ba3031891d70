import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '@headrace/contract/gateways';
import { senderKey } from '../../mqtt/transport.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createDeviceSignIn } from '../device-connections/device-sign-in.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
const disconnected: string[] = [];
const changed: number[] = [];
beforeAll(async () => {
  server = await createTestServer({
    disconnectSender: (key) => disconnected.push(key),
    onDevicesChanged: (farmId) => changed.push(farmId),
  });
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  disconnected.length = 0;
  changed.length = 0;
});
afterAll(() => server.close());

const db = () => server.database.db;
const entry = (values: object = {}) => ({
  name: 'Pump shed',
  serialNumber: 'INC-1',
  macAddress: newMac(),
  type: 0,
  ...values,
});
const add = (values: object = {}) =>
  world.send('POST /gateway', { farmUID: world.farm.uid, ...entry(values) });
const added = async (values: object = {}) =>
  (await add(values)).json<{ id: string; userName: string; password: string }>();
const change = (id: string, values: object) =>
  server.call('PUT /gateway', { headers: world.headers, body: { id, ...entry(values) } });
const remove = (deviceId: string) =>
  server.call('DELETE /gateway', { headers: world.headers, query: { deviceId } });
const signsIn = async (username: string, password: string) =>
  (await createDeviceSignIn({ db: db(), now: () => server.clock.now })(username, password, '')) !== null;
const keys = (deviceId: number) =>
  db().selectFrom('gateway_key').selectAll().where('device_id', '=', deviceId).execute();

describe('a new gateway', () => {
  it('gets a device key, shown once, and signs in with it', async () => {
    const macAddress = newMac();
    const { id, userName, password } = await added({ macAddress: macAddress.toLowerCase(), channel: 4 });
    expect(userName).toBe(macAddress);
    expect(Buffer.from(password, 'base64url')).toHaveLength(32);
    const row = await kit.stored(id);
    const [key] = await keys(row.id);
    expect(key?.key_hash).toEqual(createHash('sha256').update(password).digest());
    expect(key?.broker_hash).toMatch(/^\$7\$/);
    expect(await signsIn(userName, password)).toBe(true);
    const { gateways, ...farm } = (
      await world.get('GET /gateway/devices', { farmUID: world.farm.uid })
    ).json<{
      gateways: Gateway[];
    }>();
    expect(farm).toEqual({
      uid: world.farm.uid,
      name: world.farm.name,
      description: '',
      icon: 'farm-blue',
      lat: -43.75,
      lng: 171.95,
      boundary: [],
    });
    expect(gateways).toMatchObject([
      {
        _id: id,
        name: 'Pump shed',
        channel: 4,
        spfactor: 10,
        connected: false,
        statusTime: null,
        version: 1,
      },
    ]);
    expect(JSON.stringify(gateways)).not.toContain(password);
    expect(changed).toEqual([world.farm.id]);
  });

  it('has no units, and is not behind, until it has some', async () => {
    await added();
    const query = { farmUID: world.farm.uid };
    const sync = async () => (await world.get('GET /irrigation/devices/has-changes', query)).json();
    expect(await sync()).toEqual({ sync: false });
    await buildSprinkler(db(), world.farm.id);
    expect(await sync()).toEqual({ sync: true });
  });

  it.each([
    ['a name of 41', { name: 'x'.repeat(41) }, 400],
    ['a type that there is not', { type: 7 }, 400],
    ['no MAC', { macAddress: undefined }, 400],
  ])('is refused with %s', async (_name, values, status) => {
    expect((await add(values)).statusCode).toBe(status);
  });

  it('leaves nothing behind when its MAC is in use', async () => {
    const other = await buildGateway(db(), (await buildFarmWorld(server)).farm.id);
    expect((await add({ macAddress: other.mac })).statusCode).toBe(409);
    expect(await keys(other.id)).toHaveLength(1);
    const states = await db()
      .selectFrom('gateway_state')
      .select('device_id')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(states).toEqual([]);
  });

  it('takes over the MAC of one that was deleted; the key of that one stays ended', async () => {
    const macAddress = newMac();
    const first = await added({ macAddress });
    await remove(first.id);
    const second = await added({ macAddress });
    expect(await signsIn(macAddress, first.password)).toBe(false);
    expect(await signsIn(macAddress, second.password)).toBe(true);
  });
});

describe('a changed gateway', () => {
  it('keeps its key and its session with another name', async () => {
    const { id, userName, password } = await added();
    const reply = await change(id, { macAddress: userName, name: 'Hill', spfactor: 9 });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ name: 'Hill', spfactor: 9, version: 2 });
    expect(await signsIn(userName, password)).toBe(true);
    expect(disconnected).toEqual([]);
  });

  it('loses its key and its session with another MAC', async () => {
    const { id, userName, password } = await added();
    const { id: deviceId } = await kit.stored(id);
    const macAddress = newMac();
    expect((await change(id, { macAddress })).json()).toMatchObject({ macAddress });
    expect(await keys(deviceId)).toEqual([]);
    expect(await signsIn(userName, password)).toBe(false);
    const sender = { kind: 'gateway', farmId: world.farm.id, deviceId, mac: userName } as const;
    expect(disconnected).toEqual([senderKey(sender)]);
    const renewed = (await world.send('POST /gateway/rotate-key', { deviceId: id })).json<{
      password: string;
    }>();
    expect(await signsIn(macAddress, renewed.password)).toBe(true);
  });

  it('keeps its key when somebody else was quicker', async () => {
    const { id, userName, password } = await added();
    await change(id, { macAddress: userName, name: 'One', version: 1 });
    const late = await change(id, { macAddress: newMac(), version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ current: { name: 'One', macAddress: userName, version: 2 } });
    expect(await signsIn(userName, password)).toBe(true);
  });
});

describe('a deleted gateway', () => {
  it('is disconnected and forgotten; another one speaks for its units and has to take its list', async () => {
    const first = await buildGateway(db(), world.farm.id);
    const { id, userName, password } = await added();
    const second = await kit.stored(id);
    const unit = await buildSprinkler(db(), world.farm.id, { gateway: second });
    const before = (await kit.revisions(first)).list;
    expect((await remove(id)).json()).toMatchObject({ success: true });
    expect(await signsIn(userName, password)).toBe(false);
    expect(disconnected).toHaveLength(1);
    expect((await world.get('GET /gateway', { deviceId: id })).statusCode).toBe(404);
    expect((await kit.stored(unit.uid)).gateway_id).toBeNull();
    expect((await kit.revisions(first)).list).toBeGreaterThan(before);
    expect((await remove(id)).statusCode).toBe(404);
  });

  it("is never a stranger's", async () => {
    const stranger = await buildFarmWorld(server);
    const theirs = await buildGateway(db(), stranger.farm.id);
    expect((await remove(theirs.uid)).statusCode).toBe(404);
    expect((await change(theirs.uid, {})).statusCode).toBe(404);
    expect(disconnected).toEqual([]);
  });
});
