import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultWaterApplication, type Farm } from '@headrace/contract/farms';
import { levels, ownerPermissions, presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { newUid } from '../../db/ids.ts';
import { senderKey } from '../../mqtt/transport.ts';
import {
  buildAccount,
  buildDevice,
  buildFarm,
  buildGateway,
  buildAccountShare,
  buildShare,
  buildTank,
} from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { boundary, entry, farmCalls, landAt, listenLive, refusal } from './testing/farm-kit.ts';

let server: TestServer;
let owner: AccountRow;
let owned: Awaited<ReturnType<typeof farmCalls>>;
const disconnected: string[] = [];
const changedDevices: number[] = [];

beforeAll(async () => {
  server = await createTestServer({
    disconnectSender: (key) => disconnected.push(key),
    onDevicesChanged: (farmId) => changedDevices.push(farmId),
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await buildAccount(server.database.db, { name: 'Olive Owner' });
  owned = await farmCalls(server, owner);
});

const create = async (change = {}) => (await owned.create(change)).json<{ farmUID: string }>().farmUID;
const statusesOf = (replies: { statusCode: number }[]) =>
  replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
const farmsOf = (accountId: number) =>
  server.database.db.selectFrom('farm').selectAll().where('owner_id', '=', accountId).execute();

describe('deleting a farm', () => {
  it('of another account than the one that is named is forbidden', async () => {
    const farm = await buildFarm(server.database.db, owner.id);
    const remove = (accountId: string) =>
      owned.call('DELETE /farm', { query: { farmId: farm.uid, accountId } });
    const other = await buildAccount(server.database.db);
    for (const wrong of [other.uid, newUid()]) {
      const reply = await remove(wrong);
      expect([reply.statusCode, reply.json()]).toMatchObject([403, { code: 'forbidden' }]);
    }
    expect((await farmsOf(owner.id)).map(({ deleted_at }) => deleted_at)).toContain(null);
    expect((await remove(owner.uid.toUpperCase())).statusCode).toBe(200);
  });
});

describe('a new farm', () => {
  it('belongs to its maker, with a size, the zone of its place and the usual water settings', async () => {
    const reply = await owned.create();
    expect(reply.statusCode).toBe(200);
    const { farmUID, permissions } = reply.json<{ farmUID: string; permissions: object }>();
    expect(permissions).toEqual({ farmUID, ...ownerPermissions });
    expect(await owned.farm(farmUID)).toMatchObject({
      id: farmUID,
      accountId: owner.uid,
      name: 'Home farm',
      description: '',
      address: { fullAddress: '1 Race Road, Hinds', street: '', suburb: '', city: 'Hinds' },
      lat: -43.75,
      lng: 171.95,
      // Half of 1,111.1 m by 805.3 m, a hundredth of a degree each way there on WGS 84.
      size: expect.closeTo(44.73, 1),
      boundary,
      icon: 'farm-blue',
      supplier: '',
      irrigationArea: 0,
      v3Site: false,
      tankOnly: false,
      walConfig: defaultWaterApplication,
      timezone: { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true },
      version: 1,
    });
  });

  it('is on all lists of farms', async () => {
    const farmUID = await create({ name: 'zebra', icon: 'farm-red' });
    const first = await create({ name: 'Aardvark', tankOnly: true });
    const farms = (await owned.call('GET /farms')).json<Farm[]>();
    expect(farms.map(({ uid, name }) => [uid, name])).toEqual([
      [first, 'Aardvark'],
      [farmUID, 'zebra'],
    ]);
    expect((await owned.call('GET /list-farms')).json()).toEqual({ farms });
    const card = {
      accountId: owner.uid,
      description: '',
      icon: 'farm-blue',
      tankOnly: false,
      subscriptionValidUntil: owner.subscription_valid_until.toISOString(),
      lat: -43.75,
      lng: 171.95,
      walConf: defaultWaterApplication,
    };
    expect((await owned.call('GET /farms-card')).json()).toEqual([
      { ...card, _id: first, name: 'Aardvark', tankOnly: true },
      { ...card, _id: farmUID, name: 'zebra', icon: 'farm-red' },
    ]);
  });

  it('takes numbers as the form holds them, without spaces around texts, and reckons the coverage itself', async () => {
    const walConfig = { ...defaultWaterApplication, sprinklerWidth: 20, sprinklerCoverage: 1 };
    const uid = await create({
      name: '  Home ',
      lat: '-43.75',
      irrigationArea: '12.5',
      description: ' flat ',
      supplier: 'WaterForce',
      v3Site: true,
      walConfig,
    });
    expect(await owned.farm(uid)).toMatchObject({
      name: 'Home',
      lat: -43.75,
      irrigationArea: 12.5,
      description: 'flat',
      supplier: 'WaterForce',
      v3Site: true,
      walConfig: { ...walConfig, sprinklerCoverage: 800 },
    });
  });

  it.each([
    [{ name: ' ' }, 'name', 'Name is required.'],
    [{ name: 'x'.repeat(61) }, 'name', 'Name can have at most 60 characters.'],
    [{ address: {} }, 'address', 'Access road is required.'],
    [{ lat: '' }, 'lat', 'Latitude is required.'],
    [{ lat: 0 }, 'lat', 'Latitude is required.'],
    [{ lng: null }, 'lng', 'Longitude is required.'],
    [{ lng: 181 }, 'lng', "Longitude can't be more than 180°."],
    [{ irrigationArea: 'ten' }, 'irrigationArea', 'Irrigation area must be a number.'],
    [{ boundary: [] }, 'size', 'Size is required: draw the boundary on the map.'],
    [{ boundary: boundary.slice(1) }, 'boundary', 'The boundary needs at least 3 points.'],
    [
      { boundary: [boundary[0], boundary[2], boundary[1], { lat: -43.76, lng: 171.95 }] },
      'boundary',
      'The boundary crosses or touches itself: move its points apart.',
    ],
    [
      { boundary: Array.from({ length: 2001 }, (_, i) => ({ lat: -43, lng: 171 + i / 10_000 })) },
      'boundary',
      'The boundary can have at most 2000 points.',
    ],
    [{ walConfig: { ...defaultWaterApplication, wal: 0 } }, 'walConfig', 'Depth is required.'],
  ])('%j is refused as in the form', async (change, field, errorMessage) => {
    expect(refusal(await owned.create(change))).toEqual({ status: 400, errorMessage, field });
    const uid = await create();
    expect(refusal(await owned.change(uid, change))).toEqual({ status: 400, errorMessage, field });
    expect(await farmsOf(owner.id)).toHaveLength(1);
  });

  it.each([
    [{ boundary: [{ lat: 1 }] }, 'boundary.0.lng is required.'],
    [{ icon: 'farm-black' }, /^icon /],
    [{ lat: { $gt: 1 } }, /^lat /],
    [{ name: 'x'.repeat(1001) }, /^name /],
  ])('%j is no request at all', async (change, errorMessage) => {
    expect(refusal(await owned.create(change))).toMatchObject({
      status: 400,
      errorMessage: expect.stringMatching(errorMessage),
    });
  });

  it('is not made for an owner whose subscription has ended, who reads and edits as before', async () => {
    const uid = await create();
    await server.database.db
      .updateTable('account')
      .set({ subscription_valid_until: new Date('2026-11-20T20:59:59Z') })
      .where('id', '=', owner.id)
      .execute();
    expect(refusal(await owned.create())).toEqual({ status: 403, errorMessage: 'Account Suspended' });
    expect((await owned.change(uid, { name: 'Other' })).statusCode).toBe(200);
    expect((await owned.farm(uid)).name).toBe('Other');
  });

  it('is the thousandth of an account at most', async () => {
    const uid = await create();
    await server.database.pool.query(
      `insert into farm overriding system value select r.* from farm f, generate_series(1, 998) n,
         lateral jsonb_populate_record(f, jsonb_build_object(
           'id', nextval(pg_get_serial_sequence('farm', 'id')), 'uid', lpad(to_hex(n), 24, '0'))) r
       where f.uid = $1`,
      [uid],
    );
    expect((await owned.create()).statusCode).toBe(200);
    expect(refusal(await owned.create())).toEqual({
      status: 409,
      errorMessage: 'An account can have 1000 farms. Please delete one that is not used.',
    });
  });

  it('that fails on its last step leaves nothing behind', async () => {
    const { pool } = server.database;
    await pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on change_log execute function fail()`);
    try {
      expect((await owned.create()).statusCode).toBe(500);
    } finally {
      await pool.query('drop trigger fail on change_log; drop function fail');
    }
    expect(await farmsOf(owner.id)).toEqual([]);
  });
});

describe('an agent', () => {
  const wholeAccount = { ...presets.agent, farms: levels.Read | levels.Account };
  let agent: AccountRow;
  let helping: Awaited<ReturnType<typeof farmCalls>>;
  beforeEach(async () => {
    agent = await buildAccount(server.database.db, { type: 'AGENT', name: 'Ann Agent' });
    helping = await farmCalls(server, agent);
  });

  it('makes farms for an owner who shares the whole account, and has the same share in them', async () => {
    const { db } = server.database;
    const other = await buildAccount(db, { type: 'AGENT' });
    const guest = await buildAccount(db, { type: 'AGENT' });
    const first = await buildFarm(db, owner.id);
    await buildAccountShare(db, owner.id, agent.id, presets.agent);
    await buildAccountShare(db, owner.id, other.id, presets.guest, new Date('2026-12-01T00:00:00Z'));
    await buildShare(db, first.id, guest.id, presets.guest);
    expect((await helping.call('GET /agent/list-accounts')).json()).toEqual({
      accounts: [{ _id: owner.uid, id: owner.uid, name: 'Olive Owner', email: owner.email }],
    });
    const reply = await helping.create({ accountId: owner.uid.toUpperCase() });
    const { farmUID, permissions } = reply.json<{ farmUID: string; permissions: object }>();
    expect(permissions).toEqual({ farmUID, ...wholeAccount });
    expect(await owned.farm(farmUID)).toMatchObject({ accountId: owner.uid, name: 'Home farm' });
    const permissionsOf = async (account: AccountRow) => {
      const headers = await server.signIn(account);
      const list = (await server.call('GET /permissions-list', { headers })).json<{
        permissions: { farmUID: string }[];
      }>();
      return list.permissions.find((entry) => entry.farmUID === farmUID);
    };
    expect(await permissionsOf(agent)).toEqual({ farmUID, ...wholeAccount });
    expect(await permissionsOf(other)).toMatchObject({ farmUID, farms: 17, sensors: 1, toggleValve: false });
    expect(await permissionsOf(guest)).toBeUndefined();
    expect((await owned.changes(farmUID)).changes).toMatchObject([{ what: 'created', by: 'Ann Agent' }]);
  });

  it.each([
    ['a farm alone is shared', false, null],
    ['the share has ended', true, new Date('2026-11-20T20:59:59Z')],
  ])('makes none where %s', async (_why, isWhole, endsAt) => {
    const { db } = server.database;
    const farm = await buildFarm(db, owner.id);
    if (isWhole) await buildAccountShare(db, owner.id, agent.id, presets.farmManager, endsAt);
    else await buildShare(db, farm.id, agent.id, presets.farmManager);
    expect((await helping.call('GET /agent/list-accounts')).json()).toEqual({ accounts: [] });
    const refused = refusal(await helping.create({ accountId: owner.uid }));
    expect(refused.status).toBe(403);
    // An account that doesn't exist answers alike.
    expect(refusal(await helping.create({ accountId: newUid() }))).toEqual(refused);
    expect(await farmsOf(owner.id)).toHaveLength(1);
  });

  it('has to say for whom, and makes none for an owner whose subscription has ended', async () => {
    const { db } = server.database;
    await buildAccountShare(db, owner.id, agent.id, presets.agent);
    expect(refusal(await helping.create())).toEqual({
      status: 400,
      errorMessage: 'Please choose the owner of the farm.',
      field: 'accountId',
    });
    await db
      .updateTable('account')
      .set({ subscription_valid_until: new Date('2026-11-01T00:00:00Z') })
      .where('id', '=', owner.id)
      .execute();
    expect(refusal(await helping.create({ accountId: owner.uid }))).toEqual({
      status: 403,
      errorMessage: 'Account Suspended',
    });
  });

  it('an owner makes farms in no other account', async () => {
    const other = await buildAccount(server.database.db);
    expect((await owned.create({ accountId: other.uid })).statusCode).toBe(403);
    expect((await owned.create({ accountId: owner.uid })).statusCode).toBe(200);
    expect(await farmsOf(other.id)).toEqual([]);
    expect((await owned.call('GET /agent/list-accounts')).json()).toEqual({
      accounts: [{ _id: owner.uid, id: owner.uid, name: 'Olive Owner', email: owner.email }],
    });
  });
});

describe('an open page', () => {
  it('hears of its new rights when a farm is made and when it is deleted, and only its own account does', async () => {
    const listen = await listenLive(server);
    const page = await listen(owner);
    const other = await listen(await buildAccount(server.database.db));
    const uid = await create();
    expect(await page.next('permissions')).toEqual([{ farmUID: uid, ...ownerPermissions }]);
    await owned.remove(uid);
    expect(await page.next('permissions')).toEqual([]);
    expect(other.heard).toEqual([]);
    page.close();
    other.close();
  });
});

describe('a changed farm', () => {
  it('has a new size when its boundary is another, and keeps what was not sent', async () => {
    const uid = await create({ description: 'Flat', supplier: 'WaterForce', icon: 'farm-green' });
    const square = [...boundary, { lat: -43.76, lng: 171.95 }];
    const reply = await owned.change(uid, { boundary: square });
    const before = 44.73;
    expect(reply.json()).toMatchObject({
      size: expect.closeTo(2 * before, 1),
      description: 'Flat',
      supplier: 'WaterForce',
      icon: 'farm-green',
      version: 2,
    });
    expect(reply.json()).toEqual(await owned.farm(uid));
  });

  it('has the zone of its new place, and ingest hears of it', async () => {
    const uid = await create();
    changedDevices.length = 0;
    const reply = await owned.change(uid, landAt(-31.952, 115.861));
    expect(reply.json<Farm>().timezone).toEqual({
      timeZoneId: 'Australia/Perth',
      rawOffset: 28_800,
      dstOffset: 0,
      dstEnabled: false,
    });
    const [farm] = await farmsOf(owner.id);
    expect(changedDevices).toEqual([farm?.id]);
  });

  it('two people who change it at once: the second gets the newer record, merges, and both changes stay', async () => {
    const uid = await create();
    const helper = await buildAccount(server.database.db, { type: 'AGENT' });
    const [farm] = await farmsOf(owner.id);
    await buildShare(server.database.db, farm?.id ?? 0, helper.id, presets.farmManager);
    const helping = await farmCalls(server, helper);
    const seen = await owned.farm(uid);
    expect((await helping.change(uid, { name: 'North farm', version: seen.version })).statusCode).toBe(200);
    const refused = await owned.change(uid, { irrigationArea: 30, version: seen.version });
    expect(refused.statusCode).toBe(409);
    const { current, field } = refused.json<{ current: Farm; field: string }>();
    expect(field).toBe('version');
    expect(current).toEqual(await owned.farm(uid));
    expect(current).toMatchObject({ name: 'North farm', irrigationArea: 0, version: 2 });
    const merged = await owned.change(uid, {
      name: current.name,
      irrigationArea: 30,
      version: current.version,
    });
    expect(merged.json()).toMatchObject({ name: 'North farm', irrigationArea: 30, version: 3 });
  });

  it('of many who save the same version at once, one is stored', async () => {
    const uid = await create();
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const replies = await Promise.all(names.map((name) => owned.change(uid, { name, version: 1 })));
    expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await owned.farm(uid)).version).toBe(2);
  });

  it('stays as it is, without a new version, when nothing differs', async () => {
    const uid = await create();
    expect((await owned.change(uid, { version: 1 })).json()).toMatchObject({ version: 1 });
    expect((await owned.changes(uid)).changes).toHaveLength(1);
  });

  it("is nobody else's: other accounts, guests and the deleted farm's owner get the refusals", async () => {
    const uid = await create();
    const stranger = await farmCalls(server, await buildAccount(server.database.db));
    for (const reply of [
      await stranger.change(uid, { name: 'Mine' }),
      await stranger.remove(uid),
      await stranger.call('POST /farm-timezone', { body: { farmUID: uid } }),
      await stranger.call('GET /farm/contents', { query: { farmUID: uid } }),
      await stranger.call('GET /changes', { query: { farmUID: uid } }),
    ])
      expect(reply.statusCode).toBe(404);
    expect((await owned.farm(uid)).name).toBe('Home farm');
    await owned.remove(uid);
    expect((await owned.change(uid)).statusCode).toBe(404);
    expect((await owned.remove(uid)).statusCode).toBe(404);
  });
});

describe('a deleted farm', () => {
  it('goes with its devices, groups, shares and keys; its gateways and network servers are disconnected', async () => {
    const { db } = server.database;
    const uid = await create();
    const [farm] = await farmsOf(owner.id);
    const farmId = farm?.id ?? 0;
    const helper = await buildAccount(db, { type: 'AGENT' });
    await buildShare(db, farmId, helper.id, presets.farmManager);
    const gateway = await buildGateway(db, farmId);
    await buildTank(db, farmId);
    await buildDevice(db, farmId, 'sprinkler');
    await buildDevice(db, farmId, 'sprinkler');
    const key = await db
      .insertInto('integration_key')
      .values({
        farm_id: farmId,
        uid: newUid(),
        name: 'Key',
        user_name: `int-${uid}`,
        key_hash: Buffer.alloc(32),
        last_used_at: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('device_group').values({ farm_id: farmId, uid: newUid(), name: 'East' }).execute();
    expect((await owned.call('GET /farm/contents', { query: { farmUID: uid } })).json()).toEqual({
      sprinklers: 2,
      gateways: 1,
      repeaters: 0,
      sensors: 1,
      pois: 0,
      groups: 1,
      schedules: 0,
      people: 1,
    });
    disconnected.length = 0;
    changedDevices.length = 0;

    expect((await owned.remove(uid)).json()).toEqual({ success: true });

    expect(await owned.call('GET /farm', { query: { uid } })).toMatchObject({ statusCode: 204, body: '' });
    expect((await owned.call('GET /farms')).json()).toEqual([]);
    const helping = await farmCalls(server, helper);
    expect((await helping.call('GET /permissions-list')).json()).toEqual({ permissions: [] });
    const left = async (table: 'share' | 'device_group' | 'gateway_key') =>
      (await db.selectFrom(table).select('farm_id').where('farm_id', '=', farmId).execute()).length;
    expect([await left('share'), await left('device_group'), await left('gateway_key')]).toEqual([0, 0, 0]);
    const live = await db
      .selectFrom('device')
      .select('id')
      .where('farm_id', '=', farmId)
      .where('deleted_at', 'is', null)
      .execute();
    expect(live).toEqual([]);
    expect(disconnected.toSorted()).toEqual(
      [
        senderKey({ kind: 'gateway', farmId, deviceId: gateway.id, mac: gateway.mac ?? '' }),
        senderKey({ kind: 'network', farmId, keyId: key.id }),
      ].toSorted(),
    );
    expect(changedDevices).toEqual([farmId]);
    const { events } = (await owned.call('GET /access-log')).json();
    expect(events).toMatchObject([
      {
        what: 'revoked',
        farmName: farm?.name,
        by: owner.name,
        whom: helper.name,
        note: 'The farm was deleted.',
      },
    ]);
  });

  it('of two who delete it at once, the second is told that it is gone', async () => {
    const uid = await create();
    const replies = await Promise.all([owned.remove(uid), owned.remove(uid)]);
    expect(statusesOf(replies)).toEqual([200, 404]);
  });

  it('stays whole when a step fails', async () => {
    const { db, pool } = server.database;
    const uid = await create();
    const [farm] = await farmsOf(owner.id);
    await buildGateway(db, farm?.id ?? 0);
    await pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on change_log execute function fail()`);
    disconnected.length = 0;
    try {
      expect((await owned.remove(uid)).statusCode).toBe(500);
    } finally {
      await pool.query('drop trigger fail on change_log; drop function fail');
    }
    expect((await owned.call('GET /farm/contents', { query: { farmUID: uid } })).json()).toMatchObject({
      gateways: 1,
    });
    const keys = await db
      .selectFrom('gateway_key')
      .select('mac')
      .where('farm_id', '=', farm?.id ?? 0)
      .execute();
    expect(keys).toHaveLength(1);
    expect(disconnected).toEqual([]);
  });
});

it('another installation may make no new farms', async () => {
  // The switch is the installation's; the service is asked through its effects.
  const { createFarmEditService } = await import('./farm-edit.service.ts');
  const none = async () => null;
  const service = createFarmEditService(server.database.db, {
    messages: { mail: async () => {} },
    farms: {} as never,
    access: { farmByUid: none } as never,
    effects: {
      mayCreate: async () => false,
      disconnect: () => {},
      onDevicesChanged: () => {},
      onAccessChanged: () => {},
    },
  });
  const caller = {
    accountId: owner.id,
    uid: owner.uid,
    type: owner.type,
    tokenHash: Buffer.alloc(0),
    isStaff: false,
    mustChangePassword: false,
    subscriptionValidUntil: owner.subscription_valid_until,
  };
  await expect(service.create(entry, caller, new Date())).rejects.toThrow(
    'New farms are not made at present.',
  );
});
