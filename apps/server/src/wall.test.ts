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
  buildDevice,
  buildGateway,
  buildQueuedCommand,
  buildShare,
  buildTank,
  setGatewayOnline,
} from './testing/factories.ts';
import { buildGroup } from './testing/irrigation-factories.ts';
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
  sprinkler: DeviceRow;
  repeater: DeviceRow;
  poi: DeviceRow;
  groupUid: string;
}

/** A radio device that the farm doesn't have yet. */
const newRadio = (prefix: string, { farm }: World) => ({
  name: 'New',
  serialNumber: 'N1',
  macAddress: `${prefix}${farm.id.toString(16).padStart(10, '0')}`,
});
const entered = ({ name, serial_number, mac }: DeviceRow) => ({
  name: name.slice(-5),
  serialNumber: serial_number,
  macAddress: mac ?? '',
});
const place = { lat: -43.75, lng: 171.95 };

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

/** The accounts of this test have none to begin with. */
const newPassword = { password: 'correct horse', passwordConfirmation: 'correct horse' };
const newPerson = () => ({
  ...newPassword,
  name: 'New Person',
  email: `${newUid()}@example.com`,
  mobile: '211234567',
  countryCode: 64,
});

/** A good request for every endpoint; one that is missing here does not compile. */
const samples: Record<ApiKey, (world: World) => Pick<CallOptions, 'query' | 'body'>> = {
  'POST /account/auth': () => ({ body: { email: 'nobody@example.com', password: 'secret' } }),
  'POST /account/logout': () => ({}),
  'POST /analytics/page-view': () => ({ body: { key: '/dashboard' } }),
  'POST /account/auth/passwordless': () => ({ body: { key: 'unknown' } }),
  'POST /account/register': () => ({ body: { ...newPerson(), farms: [farmEntry] } }),
  'POST /agent/register': () => ({ body: newPerson() }),
  'GET /account/is-registered': () => ({ query: { email: 'nobody@example.com' } }),
  'POST /account/confirm-email': () => ({ body: { key: 'unknown' } }),
  'POST /account/resend-confirmation': () => ({}),
  'POST /account/forgot-password': () => ({ body: { email: 'nobody@example.com' } }),
  'POST /account/reset-password': () => ({ body: { key: 'unknown', ...newPassword } }),
  'GET /account/details': () => ({}),
  'POST /account/details': () => ({ body: { ...newPerson(), newsletter: false, notes: '' } }),
  'POST /account/change-password': () => ({ body: { currPwd: '', newPwd: newPassword.password } }),
  'GET /account/sessions': () => ({}),
  'DELETE /account/session': () => ({ query: { id: 'unknown' } }),
  'DELETE /account/sessions': () => ({}),
  'GET /account/data': () => ({}),
  'POST /account/close': () => ({ body: { password: '' } }),
  'DELETE /account/close': () => ({}),
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
  'POST /sensor': (world) => ({
    body: { farmUID: world.farm.uid, ...newRadio('0004A3', world), type: 0 },
  }),
  'GET /sensor/devices': ({ farm }) => ({ query: { farmUid: farm.uid } }),
  'GET /sensor/list': ({ farm }) => ({ query: { farmUid: farm.uid } }),
  'GET /sensor': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'PUT /sensor': ({ tank }) => ({ body: { id: tank.uid, ...entered(tank), type: 0 } }),
  'POST /sensor/settingsupdate': ({ tank }) => ({ body: { sensorUid: tank.uid, settings: { volume: 9 } } }),
  'GET /irrigation/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irrigation/devices/has-changes': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid } }),
  'POST /ipc': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A4', world) } }),
  'PUT /ipc': ({ sprinkler }) => ({ body: { id: sprinkler.uid, ...entered(sprinkler) } }),
  'DELETE /ipc': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid } }),
  'POST /ipc/bulk-edit': ({ farm, sprinkler }) => ({
    body: { farmUID: farm.uid, deviceIds: [sprinkler.uid], changes: { channel: 4 } },
  }),
  'PUT /ipc/flag-as-spare': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /ipc/flag-as-part-sprinkler': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /ipc/flag-reconfigure': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /placeholder/convert-to-placeholder': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /placeholder/convert-to-poi': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /placeholder/return-to-service': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /ipc/last-farmid-and-channel': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'POST /ipc/reset-schedules-index': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'POST /ipc/replace-battery': ({ sprinkler }) => ({ body: { ipcUID: sprinkler.uid } }),
  'GET /ipc/spare-units': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/farm-ipcs-for-repeater': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /farm/podsinfo': ({ farm }) => ({ query: { uid: farm.uid } }),
  'DELETE /irrigation/reset-location': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'DELETE /irrigation/reset-all-location': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/search': () => ({ query: { value: 'tank' } }),
  'GET /repeater/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /repeater': ({ repeater }) => ({ query: { deviceId: repeater.uid } }),
  'POST /repeater': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A5', world) } }),
  'PUT /repeater': ({ repeater }) => ({ body: { id: repeater.uid, ...entered(repeater) } }),
  'DELETE /repeater': ({ repeater }) => ({ query: { deviceId: repeater.uid } }),
  'POST /repeater/replace-battery': ({ repeater }) => ({ body: { rptrUID: repeater.uid } }),
  'GET /farm/groups-and-ipcs-for-repeater': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /pois': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /poi': ({ poi }) => ({ query: { poiUID: poi.uid } }),
  'POST /poi': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'Gate', ...place } }),
  'PUT /poi': ({ poi }) => ({ body: { id: poi.uid, name: 'Gate', ...place } }),
  'DELETE /poi': ({ poi }) => ({ query: { poiUID: poi.uid } }),
  'POST /poi/convert': (world) => ({ body: { poiUID: world.poi.uid, ...newRadio('0004A6', world) } }),
  'POST /poi/sensorconv': (world) => ({
    body: { poiUID: world.poi.uid, ...newRadio('0004A7', world), type: 0 },
  }),
  'GET /mac': () => ({ query: { serialNumber: 'none' } }),
  'GET /macgateway': () => ({ query: { serialNumber: 'none' } }),
  'GET /macsensor': () => ({ query: { serialNumber: 'none' } }),
  'GET /mac-test': () => ({ query: { serialNumber: 'none' } }),
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
  'GET /gateway/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /gateway': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A8', world), type: 0 } }),
  'PUT /gateway': ({ gateway }) => ({ body: { id: gateway.uid, ...entered(gateway), type: 0 } }),
  'DELETE /gateway': ({ gateway }) => ({ query: { deviceId: gateway.uid } }),
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
  'GET /groups': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /groups-card': ({ farm }) => ({ query: { fid: farm.uid } }),
  'GET /group': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'POST /group': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'New' } }),
  'PUT /group': ({ groupUid }) => ({ body: { id: groupUid, name: 'Other' } }),
  'DELETE /group': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'GET /group/devices': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'PUT /group/devices/add': ({ groupUid, sprinkler }) => ({
    body: { groupId: groupUid, ipcs: [sprinkler.uid] },
  }),
  'PUT /group/devices/remove': ({ groupUid, poi }) => ({ body: { groupId: groupUid, pois: [poi.uid] } }),
  'PUT /group/devices/remove-all': ({ groupUid }) => ({ body: { groupId: groupUid } }),
  'GET /group/info': ({ farm }) => ({ query: { farmUID: farm.uid, name: 'FARM' } }),
  'GET /irrigation/status': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/status': ({ farm }) => ({ query: { farmUID: farm.uid } }),
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
    groupUid: await buildGroup(db, farm.id, 'Group', []),
    commandUid: await buildQueuedCommand(db, gateway, server.clock.now),
    sprinkler: await buildDevice(db, farm.id, 'sprinkler'),
    repeater: await buildDevice(db, farm.id, 'repeater'),
    poi: await buildDevice(db, farm.id, 'poi', { lat: -43.7, lng: 171.9 }),
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
