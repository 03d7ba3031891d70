import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acts, type UndoChoices } from '@headrace/contract/undo';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit, newMac } from '../../testing/device-kit.ts';
import { buildAccount, buildBatch, buildDevice, buildGateway, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let gateway: DeviceRow;
let units: DeviceRow[];
let north: string;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  kit = deviceKit(server);
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00.000Z');
  world = await buildFarmWorld(server);
  const { db } = server.database;
  gateway = await buildGateway(db, world.farm.id);
  units = [];
  for (const name of ['A1', 'A2', 'A3'])
    units.push(await buildSprinkler(db, world.farm.id, { name, gateway, settings: { channel: 3 } }));
  await db
    .updateTable('device')
    .set({ lat: sql<number>`id / -1024::float8`, lng: 171.9 })
    .where('farm_id', '=', world.farm.id)
    .execute();
  north = await buildGroup(db, world.farm.id, 'North', units.slice(0, 2));
});
afterAll(() => server.close());

const first = () => units[0] as DeviceRow;
const query = (key: string, values: Record<string, string>) =>
  server.call(key, { headers: world.headers, query: values });
interface Done {
  batchId: string;
}
const done = async (reply: Promise<{ statusCode: number; json(): unknown; body: string }>) => {
  const { statusCode, json, body } = await reply;
  expect(statusCode, body).toBe(200);
  return (json as () => Done)().batchId;
};
const undo = (batchId: string, act: (typeof acts)[number], choice: object = {}) =>
  world.send('POST /undo', { farmUID: world.farm.uid, batchId, act, ...choice });
const undone = async (...of: Parameters<typeof undo>) => {
  const reply = await undo(...of);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ undone: number; kept: number; batchId: string }>();
};
const choices = async (...of: Parameters<typeof undo>) => {
  const reply = await undo(...of);
  expect(reply.statusCode, reply.body).toBe(409);
  return reply.json<{ current: UndoChoices }>().current;
};
const change = (unit: DeviceRow, values: object) => {
  const { uid: id, name, serial_number: serialNumber, mac: macAddress } = unit;
  return done(world.send('PUT /ipc', { id, name, serialNumber, macAddress, ...values }));
};

/** What people entered of the farm's devices and groups, without versions and times. */
async function entered() {
  const { pool } = server.database;
  const { rows: devices } = await pool.query(
    `select uid, kind, name, description, serial_number, mac, lat, lng, gateway_id, settings, deleted_at,
      array(select g.name from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
        where m.farm_id = d.farm_id and m.device_id = d.id order by 1) as groups
      from device d where farm_id = $1 order by id`,
    [world.farm.id],
  );
  const { rows: groups } = await pool.query(
    'select uid, id, name, description, is_lateral, wal_config, created_at from device_group where farm_id = $1 order by id',
    [world.farm.id],
  );
  const { rows: keys } = await pool.query(
    'select mac, device_id, key_hash, broker_hash, created_at from gateway_key where farm_id = $1 order by mac',
    [world.farm.id],
  );
  return { devices, groups, keys };
}

type Undone = [what: string, act: (typeof acts)[number], does: () => Promise<string>, records: number];
const all: Undone[] = [
  [
    'many sprinklers changed at once',
    'bulk edit',
    async () =>
      done(
        world.send('POST /ipc/bulk-edit', {
          farmUID: world.farm.uid,
          deviceIds: units.map(({ uid }) => uid),
          changes: {
            channel: 7,
            farmId: '02:03',
            groups: [await buildGroup(server.database.db, world.farm.id, 'South', [])],
          },
        }),
      ),
    3,
  ],
  [
    'sprinklers that were added at once',
    'bulk add',
    () => {
      const rows = ['B1', 'B2'].map((name) => ({ name, serialNumber: name, macAddress: newMac() }));
      return done(world.send('POST /ipc/bulk-add', { farmUID: world.farm.uid, units: rows }));
    },
    2,
  ],
  [
    'sprinklers that were deleted at once',
    'delete sprinkler',
    () =>
      done(
        world.send('POST /ipc/bulk-delete', {
          farmUID: world.farm.uid,
          deviceIds: units.map(({ uid }) => uid),
        }),
      ),
    3,
  ],
  [
    'locations of all sprinklers',
    'reset locations',
    () => done(query('DELETE /irrigation/reset-location', { farmUID: world.farm.uid })),
    3,
  ],
  [
    'locations of all devices',
    'reset locations',
    () => done(query('DELETE /irrigation/reset-all-location', { farmUID: world.farm.uid })),
    4,
  ],
  ['a sprinkler', 'delete sprinkler', () => done(query('DELETE /ipc', { deviceId: first().uid })), 1],
  [
    'a gateway with its units',
    'delete gateway',
    () => done(query('DELETE /gateway', { deviceId: gateway.uid })),
    4,
  ],
  [
    'a sprinkler that was made a spare',
    'flag sprinkler',
    () => done(world.send('PUT /ipc/flag-as-spare', { deviceId: first().uid, status: true })),
    1,
  ],
  [
    'a sprinkler that was marked as part sprinkler',
    'flag sprinkler',
    () => done(world.send('PUT /ipc/flag-as-part-sprinkler', { deviceId: first().uid, status: true })),
    1,
  ],
  [
    'a sprinkler that was made a placeholder',
    'convert sprinkler',
    () => done(world.send('PUT /placeholder/convert-to-placeholder', { deviceId: first().uid })),
    1,
  ],
  ['a group', 'delete group', () => done(query('DELETE /group', { groupId: north })), 1],
];
for (const kind of ['sensor', 'repeater', 'poi'] as const)
  all.push([
    `a ${kind}`,
    `delete ${kind}`,
    async () => {
      const { uid } = await buildDevice(server.database.db, world.farm.id, kind, { name: kind });
      return done(query(`DELETE /${kind}`, kind === 'poi' ? { poiUID: uid } : { deviceId: uid }));
    },
    1,
  ]);

describe.each(all)('%s', (_what, act, does, records) => {
  it('goes back to what it was, once, and away again', async () => {
    const before = await entered();
    const batchId = await does();
    const after = await entered();
    const reply = await undone(batchId, act);
    expect(reply).toMatchObject({ undone: records, kept: 0 });
    const back = await entered();
    // What was made for the test itself, a new group or device, is there as well.
    expect({ ...back, devices: back.devices.slice(0, 4), groups: back.groups.slice(0, 1) }).toEqual(before);
    expect((await undo(batchId, act)).statusCode).toBe(409);
    expect(await undone(reply.batchId, act)).toMatchObject({ undone: records });
    const withoutTimes = (now: typeof after) => JSON.parse(JSON.stringify(now)) as typeof after;
    expect(withoutTimes(await entered())).toEqual(withoutTimes(after));
  });
});

describe('a placeholder', () => {
  it('is no unit again while another one has its serial number, which is said', async () => {
    const batchId = await done(
      world.send('PUT /placeholder/convert-to-placeholder', { deviceId: first().uid }),
    );
    const serialNumber = first().serial_number;
    const { db } = server.database;
    const other = await buildSprinkler(db, world.farm.id, { name: 'A9', gateway });
    await db.updateTable('device').set({ serial_number: serialNumber }).where('id', '=', other.id).execute();
    expect((await choices(batchId, 'convert sprinkler')).conflicts).toMatchObject([
      { name: 'A1', canPutBack: false, why: 'Its serial number is in use as A9.' },
    ]);
    await query('DELETE /ipc', { deviceId: other.uid });
    expect(await undone(batchId, 'convert sprinkler')).toMatchObject({ undone: 1 });
  });
});

describe('a list that changed', () => {
  it('goes to the gateway again when the units come back, and not for places', async () => {
    const batchId = await done(query('DELETE /ipc', { deviceId: first().uid }));
    const { list } = await kit.revisions(gateway);
    await undone(batchId, 'delete sprinkler');
    expect((await kit.revisions(gateway)).list).toBe(list + 1);
    const reset = await done(query('DELETE /irrigation/reset-location', { farmUID: world.farm.uid }));
    await undone(reset, 'reset locations');
    expect((await kit.revisions(gateway)).list).toBe(list + 1);
  });
});

describe('what somebody changed since', () => {
  const reset = () => done(query('DELETE /irrigation/reset-location', { farmUID: world.farm.uid }));

  it('is asked about, by who and when; the others wait for the answer, and then go back', async () => {
    const batchId = await reset();
    server.clock.now = new Date('2026-11-21T08:00:00.000Z');
    await change(first(), { lat: -43.8, lng: 172.1 });
    const asked = await choices(batchId, 'reset locations');
    expect(asked).toEqual({
      others: 2,
      conflicts: [
        {
          uid: first().uid,
          kind: 'sprinkler',
          name: 'A1',
          by: world.owner.name,
          at: '2026-11-21T08:00:00.000Z',
          canPutBack: true,
          why: '',
        },
      ],
    });
    expect((await kit.stored(units[1]?.uid ?? '')).lat).toBeNull();
    const reply = await undone(batchId, 'reset locations', { keep: [first().uid] });
    expect(reply).toMatchObject({ undone: 2, kept: 1 });
    expect(await kit.stored(first().uid)).toMatchObject({ lat: -43.8, lng: 172.1 });
    expect((await kit.stored(units[1]?.uid ?? '')).lng).toBe(171.9);
  });

  it('goes back where that is chosen', async () => {
    const batchId = await reset();
    const { lat } = await kit.stored(first().uid);
    expect(lat).toBeNull();
    await change(first(), { lat: -43.8, lng: 172.1 });
    await undone(batchId, 'reset locations', { putBack: [first().uid] });
    expect(await kit.stored(first().uid)).toMatchObject({ lat: first().id / -1024, lng: 171.9 });
  });

  it('of other fields is no matter, and stays', async () => {
    const batchId = await reset();
    await change(first(), { name: 'Z9' });
    await undone(batchId, 'reset locations');
    expect(await kit.stored(first().uid)).toMatchObject({ name: 'Z9', lng: 171.9 });
  });

  it('by deleting it can only be kept', async () => {
    const batchId = await reset();
    await query('DELETE /ipc', { deviceId: first().uid });
    expect((await choices(batchId, 'reset locations', { putBack: [first().uid] })).conflicts).toMatchObject([
      { name: 'A1', canPutBack: false, why: 'It was deleted since.' },
    ]);
    expect(await undone(batchId, 'reset locations', { keep: [first().uid] })).toMatchObject({
      undone: 2,
      kept: 1,
    });
  });
});

describe('a device that is to come back', () => {
  const deleted = () => done(query('DELETE /ipc', { deviceId: first().uid }));

  it.each([
    ['MAC address', { macAddress: 'own' }, 'Its MAC address is in use by another device.'],
    ['serial number', { serialNumber: 'own' }, 'Its serial number is in use as B1.'],
  ])('stays away while its %s is in use', async (_what, same, why) => {
    const batchId = await deleted();
    const own = { macAddress: first().mac ?? '', serialNumber: first().serial_number };
    const entry = { macAddress: '70B3D5FF00000001', serialNumber: 'NEW-1' };
    const given = 'macAddress' in same ? { macAddress: own.macAddress } : { serialNumber: own.serialNumber };
    const body = { farmUID: world.farm.uid, name: 'B1', ...entry, ...given };
    const { id } = (await world.send('POST /ipc', body)).json<{ id: string }>();
    expect((await choices(batchId, 'delete sprinkler')).conflicts).toMatchObject([
      { canPutBack: false, why },
    ]);
    await query('DELETE /ipc', { deviceId: id });
    await undone(batchId, 'delete sprinkler');
    expect((await kit.stored(first().uid)).deleted_at).toBeNull();
  });

  it('has its history and is told to open pages and in the log', async () => {
    await world.record(first(), [{ at: '2026-11-20T20:00:00Z', values: { charge: 80 } }]);
    await undone(await deleted(), 'delete sprinkler');
    const { ipcs } = (await world.get('GET /irrigation/devices', { farmUID: world.farm.uid })).json<{
      ipcs: { name: string; charge: number; groups: string[] }[];
    }>();
    expect(ipcs.find(({ name }) => name === 'A1')).toMatchObject({ charge: 80, groups: [north] });
    expect((await kit.changes(world.farm.id)).map(({ what, name }) => `${name} ${what}`)).toEqual([
      'A1 deleted',
      'A1 restored',
    ]);
  });

  it('finds those of its groups that there are still', async () => {
    const batchId = await deleted();
    await query('DELETE /group', { groupId: north });
    await undone(batchId, 'delete sprinkler');
    expect((await entered()).devices[1]).toMatchObject({ name: 'A1', deleted_at: null, groups: [] });
  });
});

describe('undoing', () => {
  const reset = () => done(query('DELETE /irrigation/reset-location', { farmUID: world.farm.uid }));

  it('is possible for 30 days', async () => {
    const batchId = await reset();
    expect(await reset()).toBeNull();
    server.clock.now = new Date('2026-12-20T20:59:59.000Z');
    Object.assign(world.headers, await server.signIn(world.owner));
    await undone(batchId, 'reset locations');
    const late = await reset();
    server.clock.now = new Date('2027-01-19T21:00:00.000Z');
    Object.assign(world.headers, await server.signIn(world.owner));
    expect((await undo(late, 'reset locations')).json()).toMatchObject({
      code: 'conflict',
      errorMessage: "This can't be undone any more: it was done more than 30 days ago.",
    });
  });

  it('is offered in the history to whoever may, for as long as it can be done', async () => {
    const offered = async (headers = world.headers) => {
      const reply = await server.call('GET /changes', { headers, query: { farmUID: world.farm.uid } });
      const { changes } = reply.json<{ changes: { undo?: object }[] }>();
      return changes.map((entry) => entry.undo ?? null);
    };
    const batchId = await reset();
    const what = { act: 'reset locations', title: 'Locations of all sprinklers reset' };
    const offer = { ...what, batchId, was: 'done' };
    expect(await offered()).toEqual([offer, offer, offer]);
    const { db } = server.database;
    const guest = await buildAccount(db, { type: 'AGENT' });
    await buildShare(db, world.farm.id, guest.id, presets.guest);
    expect(await offered(await server.signIn(guest))).toEqual([null, null, null]);
    const { batchId: again } = await undone(batchId, 'reset locations');
    const redo = { ...what, batchId: again, was: 'undone' };
    expect(await offered()).toEqual([redo, redo, redo, null, null, null]);
    server.clock.now = new Date('2026-12-20T21:00:01.000Z');
    Object.assign(world.headers, await server.signIn(world.owner));
    expect(await offered()).toEqual(Array(6).fill(null));
  });

  it('however often is told by what was done at first, and whether that is undone', async () => {
    const told = [];
    for (let batchId = await reset(), times = 0; times < 4; times += 1) {
      ({ batchId } = await undone(batchId, 'reset locations'));
      const { changes } = (await query('GET /changes', { farmUID: world.farm.uid })).json<{
        changes: { undo?: { was: string; title: string } }[];
      }>();
      told.push([changes[0]?.undo?.was, changes[0]?.undo?.title]);
    }
    const title = 'Locations of all sprinklers reset';
    expect(told).toEqual([
      ['undone', title],
      ['done again', title],
      ['undone', title],
      ['done again', title],
    ]);
  });

  it('says who was quicker', async () => {
    const batchId = await reset();
    await undone(batchId, 'reset locations');
    expect((await undo(batchId, 'reset locations')).json()).toMatchObject({
      errorMessage: `This was undone already by ${world.owner.name}.`,
    });
  });

  it('of two at once is done by one', async () => {
    const batchId = await reset();
    const replies = await Promise.all([undo(batchId, 'reset locations'), undo(batchId, 'reset locations')]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('is for the farm and the act that it was, and needs the right to that act', async () => {
    const batchId = await reset();
    const stranger = await buildFarmWorld(server);
    const theirs = { farmUID: stranger.farm.uid, batchId, act: 'reset locations' };
    expect((await stranger.send('POST /undo', theirs)).statusCode).toBe(404);
    expect((await undo(batchId, 'delete poi')).statusCode).toBe(404);
    const { db } = server.database;
    for (const act of acts) {
      const uid = await buildBatch(db, gateway, act);
      const guest = await buildAccount(db, { type: 'AGENT' });
      await buildShare(db, world.farm.id, guest.id, presets.guest);
      const body = { farmUID: world.farm.uid, batchId: uid, act };
      const reply = await server.call('POST /undo', { headers: await server.signIn(guest), body });
      expect({ act, status: reply.statusCode }).toEqual({ act, status: 403 });
    }
  });
});

it('300 sprinklers lose their places and have them back, each its own', async () => {
  const { db } = server.database;
  for (let n = 0; n < 300; n += 1) {
    const { id } = await buildSprinkler(db, world.farm.id, { name: `B${n}` });
    await db
      .updateTable('device')
      .set({ lat: -43 - n / 1000, lng: 171 + n / 1000 })
      .where('id', '=', id)
      .execute();
  }
  const before = await entered();
  const batchId = await done(query('DELETE /irrigation/reset-location', { farmUID: world.farm.uid }));
  expect(await undone(batchId, 'reset locations')).toMatchObject({ undone: 303 });
  expect(await entered()).toEqual(before);
});
