import { createHash } from 'node:crypto';
import { afterAll, beforeEach, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway, IntegrationKey } from '@headrace/contract/gateways';
import { buildDevice, buildFarm, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
const disconnected: string[] = [];
beforeAll(async () => {
  server = await createTestServer({ disconnectSender: (key) => disconnected.push(key) });
});
beforeEach(async () => {
  world = await buildFarmWorld(server, { name: 'Home farm' });
  disconnected.length = 0;
});
afterAll(() => server.close());

const db = () => server.database.db;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a gateway', () => {
  it('shows what it last reported', async () => {
    const gateway = await buildGateway(db(), world.farm.id);
    await db()
      .updateTable('gateway_state')
      .set({
        online: true,
        contact_at: new Date('2026-11-20T20:00:00Z'),
        settings: JSON.stringify({ statusPeriod: 900 }),
        info: JSON.stringify({ firmwareVersion: 312 }),
        data: JSON.stringify({ validMessageCount: 12 }),
      })
      .where('device_id', '=', gateway.id)
      .execute();
    const reply = await world.get('GET /gateway', { deviceId: gateway.uid });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      _id: gateway.uid,
      name: gateway.name,
      siteName: 'Home farm',
      macAddress: gateway.mac,
      serialNumber: gateway.serial_number,
      type: 0,
      farmUID: world.farm.uid,
      location: { lat: world.farm.lat, lng: world.farm.lng },
      settings: { statusPeriod: 900 },
      info: { firmwareVersion: 312 },
      latestStatus: [{ validMessageCount: 12, statusTime: '2026-11-20T20:00:00.000Z' }],
      statusTime: '2026-11-20T20:00:00.000Z',
      connected: true,
      description: '',
      channel: 1,
      spfactor: 10,
      sync: true,
      version: 1,
      updatedAt: gateway.updated_at.toISOString(),
    });
  });

  it('that has never spoken is not connected and has no status', async () => {
    const gateway = await buildDevice(db(), world.farm.id, 'gateway', { lat: -43, lng: 172 });
    const reply = await world.get('GET /gateway', { deviceId: gateway.uid });
    expect(reply.json<Gateway>()).toMatchObject({
      latestStatus: [],
      statusTime: null,
      connected: false,
      location: { lat: -43, lng: 172 },
    });
  });

  it('is not what another kind of device is asked as', async () => {
    const sensor = await buildDevice(db(), world.farm.id, 'sensor');
    expect((await world.get('GET /gateway', { deviceId: sensor.uid })).statusCode).toBe(404);
    expect((await world.send('POST /gateway/rotate-key', { deviceId: sensor.uid })).statusCode).toBe(404);
  });

  it('gets a new key, shown once; the old one and the sessions it opened end', async () => {
    const gateway = await buildGateway(db(), world.farm.id, 'old key');
    const reply = await world.send('POST /gateway/rotate-key', { deviceId: gateway.uid });
    const { userName, password } = reply.json<{ userName: string; password: string }>();
    expect(userName).toBe(gateway.mac);
    expect(Buffer.from(password, 'base64url')).toHaveLength(32);
    const keys = await db()
      .selectFrom('gateway_key')
      .selectAll()
      .where('device_id', '=', gateway.id)
      .execute();
    expect(keys.map((key) => key.key_hash.toString('hex'))).toEqual([sha256(password)]);
    expect(disconnected).toEqual([`gateway:${gateway.mac}`]);
  });

  it('gets its first key the same way', async () => {
    const gateway = await buildDevice(db(), world.farm.id, 'gateway');
    expect((await world.send('POST /gateway/rotate-key', { deviceId: gateway.uid })).statusCode).toBe(200);
    const key = await db()
      .selectFrom('gateway_key')
      .selectAll()
      .where('mac', '=', gateway.mac)
      .executeTakeFirst();
    expect(key).toMatchObject({ farm_id: world.farm.id, device_id: gateway.id });
  });

  it('can not take over the key of a gateway in use elsewhere, but that of one that was removed', async () => {
    const mac = '0004A30B00AA0001';
    const other = await buildFarm(db(), world.owner.id);
    const theirs = await buildGateway(db(), other.id, 'their key', { mac });
    const ours = await buildDevice(db(), world.farm.id, 'gateway', { mac });
    const refused = await world.send('POST /gateway/rotate-key', { deviceId: ours.uid });
    expect(refused.statusCode).toBe(409);
    expect(disconnected).toEqual([]);
    await db().updateTable('device').set({ deleted_at: new Date() }).where('id', '=', theirs.id).execute();
    expect((await world.send('POST /gateway/rotate-key', { deviceId: ours.uid })).statusCode).toBe(200);
  });
});

describe('integration keys', () => {
  const create = (name: string, of: FarmWorld = world) =>
    of.send('POST /integration-key', { farmUID: of.farm.uid, name });
  const list = async () =>
    (await world.get('GET /integration-keys', { farmUID: world.farm.uid })).json<{ keys: IntegrationKey[] }>()
      .keys;

  it('show their password once and are stored hashed', async () => {
    const reply = await create('  ChirpStack ');
    const { id, userName, password } = reply.json<{ id: string; userName: string; password: string }>();
    expect(userName).toMatch(/^int-[0-9a-f]{8}$/);
    expect(Buffer.from(password, 'base64url')).toHaveLength(32);
    const row = await db()
      .selectFrom('integration_key')
      .selectAll()
      .where('uid', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.key_hash.toString('hex')).toBe(sha256(password));
    expect(await list()).toEqual([
      { _id: id, name: 'ChirpStack', userName, createdAt: '2026-11-20T21:00:00.000Z', lastUsedAt: null },
    ]);
  });

  it('need a name that is more than blanks', async () => {
    const reply = await create('   ');
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field: 'name' });
  });

  it('are at most 20 for a farm, also when asked for at once; a withdrawn one makes room', async () => {
    const replies = await Promise.all(Array.from({ length: 23 }, (_, index) => create(`Key ${index}`)));
    const statuses = replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(20).fill(200), 409, 409, 409]);
    const [first] = await list();
    await server.call('DELETE /integration-key', {
      headers: world.headers,
      query: { farmUID: world.farm.uid, keyUID: first?._id ?? '' },
    });
    expect((await create('One more')).statusCode).toBe(200);
  });

  it('end their sessions when they are withdrawn, and are gone from the list', async () => {
    const { id } = (await create('ChirpStack')).json<{ id: string }>();
    const { id: keyId } = await db()
      .selectFrom('integration_key')
      .select('id')
      .where('uid', '=', id)
      .executeTakeFirstOrThrow();
    const query = { farmUID: world.farm.uid, keyUID: id };
    const withdraw = () => server.call('DELETE /integration-key', { headers: world.headers, query });
    expect((await withdraw()).json()).toEqual({ success: true });
    expect(disconnected).toEqual([`network:${keyId}`]);
    expect(await list()).toEqual([]);
    expect((await withdraw()).statusCode).toBe(404);
  });

  it('of another farm can not be withdrawn, even by who owns both', async () => {
    const other = await buildFarmWorld(server);
    const { id } = (await create('Theirs', other)).json<{ id: string }>();
    const reply = await server.call('DELETE /integration-key', {
      headers: world.headers,
      query: { farmUID: world.farm.uid, keyUID: id },
    });
    expect(reply.statusCode).toBe(404);
    expect(disconnected).toEqual([]);
  });
});
