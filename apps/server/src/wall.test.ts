import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKey, endpoints } from '@headrace/contract/api';
import { commandTypes } from '@headrace/contract/command-types';
import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import { meets, type Permissions, ownerPermissions, presets } from '@headrace/contract/permissions';
import { defaultSettings } from '@headrace/contract/default-settings';
import type { AccountRow, DeviceRow, FarmRow } from './db/schema.ts';
import { newUid } from './db/ids.ts';
import {
  buildAccount,
  buildFarm,
  buildCodec,
  buildGateway,
  buildQueuedCommand,
  buildShare,
  buildTank,
  setGatewayOnline,
} from './testing/factories.ts';
import { type CallOptions, createTestServer, type TestServer } from './testing/test-server.ts';

interface World {
  owner: AccountRow;
  farm: FarmRow;
  tank: DeviceRow;
  gateway: DeviceRow;
  keyUid: string;
  codecUid: string;
  /** A command that waits for the gateway. */
  commandUid: string;
}

const farmEntry = {
  name: 'Farm',
  address: { fullAddress: '1 Race Road, Hinds' },
  lat: -43.75,
  lng: 171.95,
  boundary: [
    { lat: -43.75, lng: 171.95 },
    { lat: -43.75, lng: 171.96 },
    { lat: -43.76, lng: 171.96 },
  ],
};

/** A good request for every endpoint; one that is missing here does not compile. */
const samples: Record<ApiKey, (world: World) => Pick<CallOptions, 'query' | 'body'>> = {
  'POST /account/auth': () => ({ body: { email: 'nobody@example.com', password: 'secret' } }),
  'POST /account/logout': () => ({}),
  'POST /analytics/page-view': () => ({ body: { key: '/dashboard' } }),
  'GET /settings': () => ({}),
  'PUT /settings': () => ({ body: { data: defaultSettings, version: 6 } }),
  'GET /ims-settings': () => ({}),
  'GET /farms-card': () => ({}),
  'GET /farms-summary': () => ({}),
  'GET /farm': ({ farm }) => ({ query: { uid: farm.uid } }),
  'GET /farms': () => ({}),
  'GET /list-farms': () => ({}),
  'POST /farm': ({ owner }) => ({ body: { accountId: owner.uid, ...farmEntry } }),
  'PUT /farm': ({ farm }) => ({ body: { id: farm.uid, ...farmEntry } }),
  'DELETE /farm': ({ farm }) => ({ query: { farmId: farm.uid } }),
  'GET /farm/contents': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /farm-timezone': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /farm-timezone': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'PUT /farm-timezone': ({ farm }) => ({ body: { farmUID: farm.uid, dstEnabled: false } }),
  'GET /agent/list-accounts': () => ({}),
  'GET /geocode': () => ({ query: { text: 'Ashburton' } }),
  'GET /changes': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /permissions-list': () => ({}),
  'POST /sensor': ({ farm }) => ({
    body: {
      farmUID: farm.uid,
      name: 'New',
      serialNumber: 'N1',
      macAddress: `0004A3${farm.id.toString(16).padStart(10, '0')}`,
      type: 0,
    },
  }),
  'DELETE /sensor': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'GET /codecs': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /codec': ({ farm, codecUid }) => ({ query: { farmUID: farm.uid, codecId: codecUid } }),
  'POST /codec': ({ farm }) => ({
    body: { farmUID: farm.uid, name: 'New', script: 'function decodeUplink() { return { data: {} }; }' },
  }),
  'PUT /codec': ({ farm, codecUid }) => ({ body: { farmUID: farm.uid, codecId: codecUid, name: 'Other' } }),
  'DELETE /codec': ({ farm, codecUid }) => ({ query: { farmUID: farm.uid, codecId: codecUid } }),
  'POST /codec/try': ({ farm, codecUid }) => ({
    body: { farmUID: farm.uid, codecId: codecUid, fPort: 1, bytes: '00' },
  }),
  'PUT /sensor/decoding': ({ tank, codecUid }) => ({
    body: { deviceId: tank.uid, codecId: codecUid, mapping: null },
  }),
  'GET /sensor/decoding': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'GET /gateway': ({ gateway }) => ({ query: { deviceId: gateway.uid } }),
  'POST /integration-key': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'ChirpStack' } }),
  'GET /integration-keys': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'DELETE /integration-key': ({ farm, keyUid }) => ({ query: { farmUID: farm.uid, keyUID: keyUid } }),
  'POST /gateway/rotate-key': ({ gateway }) => ({ body: { deviceId: gateway.uid } }),
  'POST /broker/authenticate': () => ({ body: { username: 'x', password: 'y', clientid: 'z' } }),
  'POST /commands/send': ({ farm }) => ({ body: { farmUID: farm.uid, type: commandTypes.IncStatusReq } }),
  'GET /commands': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /command': ({ farm, commandUid }) => ({ query: { farmUID: farm.uid, commandId: commandUid } }),
  'POST /commands/cancel': ({ farm, commandUid }) => ({
    body: { farmUID: farm.uid, commandId: commandUid, type: commandTypes.IncStatusReq },
  }),
  'GET /lvl/suminfo': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /level/basic-info': ({ farm, tank }) => ({ query: { farmUid: farm.uid, sensorUid: tank.uid } }),
  'GET /level/full-info': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /lvl/history': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /lvl/waterflow': ({ tank }) => ({ query: { sensorId: tank.uid } }),
  'GET /tank/battery': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /flow/history': ({ tank }) => ({ query: { serial: tank.serial_number } }),
  'GET /tank/site-info': ({ farm }) => ({ query: { farmUID: farm.uid } }),
};

/** Calls for anyone who is signed in, but in somebody's account: the account's owner alone, unless it is shared as a whole. */
const inAnAccount: ReadonlySet<string> = new Set<ApiKey>(['POST /farm']);

/** Everyone who may knock, with what the farm gave them; null is a stranger to the farm. */
const visitors: { name: string; permissions: Permissions | null; expired?: boolean; isOwner?: boolean }[] = [
  { name: 'the owner', permissions: ownerPermissions, isOwner: true },
  { name: 'a farm manager', permissions: presets.farmManager },
  { name: 'an agent', permissions: presets.agent },
  { name: 'a guest', permissions: presets.guest },
  { name: 'someone with a share without rights', permissions: presets.none },
  { name: 'someone whose share has ended', permissions: null, expired: true },
  { name: 'the owner of another farm', permissions: null },
];

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());

async function buildWorld(): Promise<World> {
  const { db } = server.database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const key = { uid: newUid(), name: 'Key', user_name: `int-${farm.uid}`, key_hash: Buffer.alloc(32) };
  await db
    .insertInto('integration_key')
    .values({ farm_id: farm.id, ...key, last_used_at: null, deleted_at: null })
    .execute();
  const gateway = await buildGateway(db, farm.id);
  await setGatewayOnline(db, gateway, server.clock.now);
  return {
    owner,
    farm,
    tank: await buildTank(db, farm.id),
    gateway,
    keyUid: key.uid,
    codecUid: (await buildCodec(db, farm.id)).uid,
    commandUid: await buildQueuedCommand(db, gateway, server.clock.now),
  };
}

async function knock(endpoint: Endpoint, world: World, visitor: AccountRow | null): Promise<number> {
  const headers = visitor ? await server.signIn(visitor) : {};
  const address = '192.0.2.7';
  const reply = await server.call(endpoint.key, {
    headers,
    address,
    ...samples[endpoint.key as ApiKey](world),
  });
  return reply.statusCode;
}

describe.each(endpoints.map((endpoint): [string, Endpoint] => [endpoint.key, endpoint]))(
  '%s',
  (_key, endpoint) => {
    it('answers nobody without a token, unless it is public', async () => {
      const status = await knock(endpoint, await buildWorld(), null);
      if (!('public' in endpoint.needs)) expect(status).toBe(401);
      else if (!endpoint.textError) expect(status).toBe(200);
    });

    it.each(visitors)('lets in or turns away $name as declared', async (visitor) => {
      const world = await buildWorld();
      const account = visitor.isOwner
        ? world.owner
        : await buildAccount(server.database.db, { type: 'AGENT' });
      if (visitor.permissions && !visitor.isOwner) {
        await buildShare(server.database.db, world.farm.id, account.id, visitor.permissions);
      }
      if (visitor.expired) {
        await buildShare(
          server.database.db,
          world.farm.id,
          account.id,
          presets.farmManager,
          new Date('2026-11-20T20:59:59Z'),
        );
      }
      const status = await knock(endpoint, world, account);
      if ('operator' in endpoint.needs) {
        expect(status).toBe(403);
      } else if (!endpoint.target) {
        const isTurnedAway = inAnAccount.has(endpoint.key) && !visitor.isOwner;
        expect(status).toBe(isTurnedAway ? 403 : endpoint.textError ? 401 : 200);
      } else if (!visitor.permissions) {
        expect(status).toBe(404);
      } else {
        const { permissions } = visitor;
        const { body } = samples[endpoint.key as ApiKey](world);
        const isAllowed = [endpoint.needs, needOf(endpoint, body)].every((need) => meets(permissions, need));
        expect(status).toBe(isAllowed ? (endpoint.status ?? 200) : 403);
      }
    });
  },
);

it('refuses a token that is made up', async () => {
  const reply = await server.call('GET /farms-card', { headers: { authorization: 'x'.repeat(43) } });
  expect(reply.statusCode).toBe(401);
});

it("answers a stranger's farm and one that does not exist alike", async () => {
  const world = await buildWorld();
  const headers = await server.signIn(await buildAccount(server.database.db));
  const theirs = await server.call('GET /farm', { headers, query: { uid: world.farm.uid } });
  const none = await server.call('GET /farm', { headers, query: { uid: newUid() } });
  expect(theirs.statusCode).toBe(404);
  expect(theirs.json()).toEqual(none.json());
});
