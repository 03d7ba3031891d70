import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultWaterApplication } from '@headrace/contract/farms';
import type { Group } from '@headrace/contract/groups';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const sprinkler = (name: string, settings: object = {}) =>
  buildSprinkler(server.database.db, world.farm.id, { name, settings });
const poi = (name: string) => buildDevice(server.database.db, world.farm.id, 'poi', { name });

const add = (name: string, more: object = {}) =>
  world.send('POST /group', { farmUID: world.farm.uid, name, ...more });
async function added(name: string, more: object = {}): Promise<string> {
  return (await add(name, more)).json<{ id: string }>().id;
}
const put = (id: string, changes: object) => world.send('PUT /group', { id, ...changes });
const fill = (groupId: string, ipcs: readonly DeviceRow[], pois: readonly DeviceRow[] = []) =>
  world.send('PUT /group/devices/add', {
    groupId,
    ipcs: ipcs.map(({ uid }) => uid),
    pois: pois.map(({ uid }) => uid),
  });
const devicesOf = async (groupId: string) =>
  (await world.get('GET /group/devices', { groupId })).json<{ ipcs: string[]; pois: string[] }>();
const list = async () =>
  (await world.get('GET /groups', { farmUID: world.farm.uid })).json<{ groups: Group[] }>().groups;

const changes = async (uid: string) =>
  server.database.db
    .selectFrom('change_log')
    .select(['kind', 'name', 'what', 'fields', 'account_id'])
    .where('uid', '=', uid)
    .orderBy('id')
    .execute();

describe('groups', () => {
  it('are listed as people count, with their number of sprinklers in service and of those inhibited', async () => {
    for (const name of ['Lateral 10', 'lateral 2', 'Lateral 1']) await added(name);
    const id = await added('Block', { description: ' North ', isLateral: true });
    const units = [
      await sprinkler('A1'),
      await sprinkler('A2'),
      await sprinkler('A3', { outOfService: true }),
      await sprinkler('A4', { isSpareUnit: true }),
    ];
    await fill(id, units, [await poi('Gate')]);
    const facts = units.map((unit, index) => ({
      farm_id: world.farm.id,
      device_id: unit.id,
      name: 'ipcCrc',
      at: server.clock.now,
      value: index === 0 ? '1A:2B' : 'D6:DA',
    }));
    await server.database.db.insertInto('device_fact').values(facts).execute();

    const groups = await list();
    expect(groups.map(({ name }) => name)).toEqual(['Block', 'Lateral 1', 'lateral 2', 'Lateral 10']);
    const [block] = groups;
    expect(block).toEqual({
      _id: id,
      id,
      farmUID: world.farm.uid,
      name: 'Block',
      description: 'North',
      isLateral: true,
      walConfig: defaultWaterApplication,
      amountOfIpc: 2,
      amountOfIpcInhibited: 1,
      version: 1,
      createdAt: '2026-11-20T21:00:00.000Z',
      updatedAt: '2026-11-20T21:00:00.000Z',
    });
    expect((await world.get('GET /groups-card', { fid: world.farm.uid })).json()).toEqual({ groups });
    expect((await world.get('GET /group', { groupId: id })).json()).toEqual(block);
  });

  it.each([
    ['North', 409, 'The farm has a group named North already. Please choose another name.'],
    [' nORTH ', 409, 'The farm has a group named nORTH already. Please choose another name.'],
    ['FARM', 400, 'FARM means the whole farm. Please choose another name.'],
    ['..', 400, 'Dots alone are no name. Please choose another.'],
    [' . ', 400, 'Dots alone are no name. Please choose another.'],
    ['farm ', 400, 'FARM means the whole farm. Please choose another name.'],
    ['  ', 400, 'Name is required.'],
  ])('refuse the name %j', async (name, status, errorMessage) => {
    const north = await added('North');
    const other = await added('South');
    for (const reply of [await add(name), await put(other, { name })]) {
      expect(reply.statusCode).toBe(status);
      expect(reply.json()).toMatchObject({ errorMessage, field: 'name' });
    }
    expect((await list()).map(({ name: kept }) => kept)).toEqual(['North', 'South']);
    // Its own name in another case is no other group's.
    expect((await put(north, { name: 'NORTH' })).statusCode).toBe(200);
  });

  it.each([
    ['x'.repeat(40), 200],
    ['x'.repeat(41), 400],
    ['', 400],
    ['a\u0000b', 400],
  ])('take names of 1 to 40 characters: %j', async (name, status) => {
    expect((await add(name)).statusCode).toBe(status);
  });

  it.each(['a\u0000b', 'a\u0007b', 'half \uD83D of it'])(
    "take no text that can't be shown: %j",
    async (text) => {
      const cant = "must be text without characters that can't be shown.";
      const named = (await add(text)).json<object>();
      expect(named).toMatchObject({ errorMessage: `name ${cant}`, field: 'name' });
      const described = (await add('North', { description: text })).json<object>();
      expect(described).toMatchObject({ errorMessage: `description ${cant}`, field: 'description' });
      expect((await add('North', { description: 'Two\nlines' })).statusCode).toBe(200);
    },
  );

  it('of the same name can be on two farms', async () => {
    await added('North');
    world = await buildFarmWorld(server);
    expect((await add('North')).statusCode).toBe(200);
  });

  it('are made once when two people make the same one at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => add('North')));
    const made = replies.filter(({ statusCode }) => statusCode === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5);
  });

  it('keep what an edit does not mention, and tell who changed what', async () => {
    const id = await added('North', { description: 'Old', isLateral: true });
    const walConfig = { ...defaultWaterApplication, wal: 7 };
    const reply = await put(id, { name: 'South', walConfig, version: 1 });
    expect(reply.json()).toMatchObject({
      id,
      group: { name: 'South', description: 'Old', isLateral: true, walConfig, version: 2 },
    });
    expect(await changes(id)).toMatchObject([
      { kind: 'group', name: 'North', what: 'created', account_id: world.owner.id },
      {
        name: 'South',
        what: 'changed',
        fields: [
          { field: 'name', from: 'North', to: 'South' },
          { field: 'walConfig', from: null, to: walConfig },
        ],
      },
    ]);
  });

  it('that nothing differs in are not written', async () => {
    const id = await added('North');
    expect((await put(id, { name: 'North ' })).json()).toMatchObject({ group: { version: 1 } });
    expect(await changes(id)).toHaveLength(1);
  });

  it('of a newer version are not written over, and come with the answer', async () => {
    const id = await added('North');
    await put(id, { name: 'Mine', version: 1 });
    const late = await put(id, { name: 'Theirs', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ field: 'version', current: { name: 'Mine', version: 2 } });
    expect((await put(id, { name: 'Theirs', version: 2 })).json()).toMatchObject({ group: { version: 3 } });
  });

  it('can be deleted; their devices stay', async () => {
    const id = await added('North');
    const unit = await sprinkler('A1');
    await fill(id, [unit]);
    const reply = await server.call('DELETE /group', { headers: world.headers, query: { groupId: id } });
    expect(reply.json()).toMatchObject({ success: true });
    expect(await list()).toEqual([]);
    const row = await server.database.db
      .selectFrom('device')
      .select('deleted_at')
      .where('id', '=', unit.id)
      .executeTakeFirst();
    expect(row).toEqual({ deleted_at: null });
    expect((await changes(id)).at(-1)).toMatchObject({ name: 'North', what: 'deleted' });
    expect((await put(id, { name: 'Again' })).statusCode).toBe(404);
  });
});

describe('the devices of a group', () => {
  it('are told in the order of their names, with where the farm is', async () => {
    const boundary = [
      { lat: -43.75, lng: 171.95 },
      { lat: -43.75, lng: 171.96 },
      { lat: -43.76, lng: 171.96 },
    ];
    world = await buildFarmWorld(server, { boundary: JSON.stringify(boundary) });
    const id = await added('North', { description: 'Hill' });
    const [ten, two] = [await sprinkler('A10'), await sprinkler('A2')];
    const gate = await poi('Gate');
    expect((await fill(id, [ten, two, two], [gate])).json()).toEqual({ success: true, changed: 3 });
    expect((await world.get('GET /group/devices', { groupId: id })).json()).toEqual({
      id,
      name: 'North',
      description: 'Hill',
      farmLocation: { lat: -43.75, lng: 171.95 },
      farmBoundary: boundary,
      ipcs: [two.uid, ten.uid],
      pois: [gate.uid],
    });
  });

  it('are counted as changed only where they were', async () => {
    const id = await added('North');
    const [one, two, three] = [await sprinkler('A1'), await sprinkler('A2'), await sprinkler('A3')];
    await fill(id, [one]);
    expect((await fill(id, [one, two])).json()).toEqual({ success: true, changed: 1 });
    const out = await world.send('PUT /group/devices/remove', { groupId: id, ipcs: [two.uid, three.uid] });
    expect(out.json()).toEqual({ success: true, changed: 1 });
    expect((await devicesOf(id)).ipcs).toEqual([one.uid]);
    const all = await world.send('PUT /group/devices/remove-all', { groupId: id });
    expect(all.json()).toEqual({ success: true, changed: 1 });
    expect(await devicesOf(id)).toMatchObject({ ipcs: [], pois: [] });
  });

  it('are logged in one entry, with 20 names and the number of the others', async () => {
    const id = await added('North');
    const units = [];
    for (let number = 1; number <= 22; number += 1) units.push(await sprinkler(`A${number}`));
    await fill(id, units);
    await fill(id, units);
    await world.send('PUT /group/devices/remove', { groupId: id, ipcs: [units[4]?.uid] });
    const names = Array.from({ length: 20 }, (_, index) => `A${index + 1}`).join(', ');
    expect((await changes(id)).slice(1).map(({ fields }) => fields)).toEqual([
      [{ field: 'devices', from: null, to: `22 devices: ${names} and 2 more` }],
      [{ field: 'devices', from: '1 device: A5', to: null }],
    ]);
  });

  it.each(['add', 'remove'])('are all known to the farm, or none is changed: %s', async (way) => {
    const own = await sprinkler('A1');
    const gate = await poi('Gate');
    const id = await added('North');
    const inside = await sprinkler('A2');
    await fill(id, [inside]);
    const mine = world;
    world = await buildFarmWorld(server);
    const foreign = await sprinkler('B1');
    const gone = await server.database.db
      .updateTable('device')
      .set({ deleted_at: server.clock.now })
      .where('id', '=', (await buildSprinkler(server.database.db, mine.farm.id)).id)
      .returning('uid')
      .executeTakeFirstOrThrow();
    for (const [field, uid] of [
      ['ipcs', foreign.uid],
      ['ipcs', gone.uid],
      ['ipcs', gate.uid],
      ['ipcs', newUid()],
      ['pois', own.uid],
    ] as const) {
      const members = way === 'add' ? { ipcs: [own.uid] } : { ipcs: [inside.uid] };
      const body = { groupId: id, ...members, [field]: [...(field === 'ipcs' ? members.ipcs : []), uid] };
      const reply = await mine.send(`PUT /group/devices/${way}`, body);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ field });
    }
    const left = await mine.get('GET /group/devices', { groupId: id });
    expect(left.json()).toMatchObject({ ipcs: [inside.uid], pois: [] });
  });

  it('leave it when they leave the farm', async () => {
    const id = await added('North');
    const unit = await sprinkler('A1');
    await fill(id, [unit, await sprinkler('A2')]);
    await server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: unit.uid } });
    expect((await devicesOf(id)).ipcs).toHaveLength(1);
    expect(await list()).toMatchObject([{ amountOfIpc: 1 }]);
  });
});

describe('a sprinkler is in one lateral group at most', () => {
  it('and in as many others as wanted', async () => {
    const unit = await sprinkler('A1');
    for (const [name, isLateral] of [
      ['L1', true],
      ['Block', false],
      ['Stage', false],
    ] as const)
      expect((await fill(await added(name, { isLateral }), [unit])).statusCode).toBe(200);
  });

  it('told by name when it would be put into a second one; nothing is added then', async () => {
    const [first, second, third] = [await sprinkler('A1'), await sprinkler('A2'), await sprinkler('A3')];
    const gate = await poi('Gate');
    await fill(await added('L1', { isLateral: true }), [first, second], [gate]);
    const other = await added('L2', { isLateral: true });
    const reply = await fill(other, [third, second]);
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      field: 'ipcs',
      errorMessage: 'Sprinkler A2 is in the lateral group L1 already. Please take it out there first.',
    });
    expect((await fill(other, [second, first])).json()).toMatchObject({
      errorMessage:
        'Sprinkler A1 is in the lateral group L1 already (and 1 more in lateral groups). Please take it out there first.',
    });
    expect((await devicesOf(other)).ipcs).toEqual([]);
    // Points of interest have no water.
    expect((await fill(other, [third], [gate])).json()).toMatchObject({ changed: 2 });
  });

  it('told by name when a group becomes lateral', async () => {
    const unit = await sprinkler('A1');
    await fill(await added('L1', { isLateral: true }), [unit]);
    const block = await added('Block');
    await fill(block, [unit]);
    const reply = await put(block, { name: 'Block', isLateral: true });
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      field: 'isLateral',
      errorMessage: 'Sprinkler A1 is in the lateral group L1 already. Please take it out there first.',
    });
    expect((await world.get('GET /group', { groupId: block })).json()).toMatchObject({ isLateral: false });
  });

  it('whoever is quicker', async () => {
    const unit = await sprinkler('A1');
    const groups = [];
    for (const name of ['1', '2', '3', '4'])
      groups.push({
        lateral: await added(`L${name}`, { isLateral: true }),
        plain: await added(`B${name}`),
      });
    for (const { plain } of groups) await fill(plain, [unit]);
    const replies = await Promise.all([
      ...groups.map(({ lateral }) => fill(lateral, [unit])),
      ...groups.map(({ plain }, index) => put(plain, { name: `B${index + 1}`, isLateral: true })),
      ...groups.map(({ lateral }) =>
        world.send('PUT /ipc', {
          id: unit.uid,
          name: 'A1',
          serialNumber: unit.serial_number,
          macAddress: unit.mac,
          groups: [lateral],
        }),
      ),
    ]);
    for (const { statusCode } of replies) expect([200, 409]).toContain(statusCode);
    const laterals = await server.database.db
      .selectFrom('device_group_member as m')
      .innerJoin('device_group as g', 'g.id', 'm.group_id')
      .where('m.device_id', '=', unit.id)
      .where('g.is_lateral', '=', true)
      .select('g.name')
      .execute();
    expect(laterals.length).toBeLessThanOrEqual(1);
  });
});

it("nobody reaches another farm's group, whatever farm is named beside it", async () => {
  const id = await added('North');
  const mine = world;
  world = await buildFarmWorld(server);
  for (const [key, query] of [
    ['GET /group', { groupId: id }],
    ['GET /group/devices', { groupId: id }],
    ['GET /group/info', { farmUID: mine.farm.uid, name: 'North' }],
    ['GET /group/info', { farmUID: world.farm.uid, name: 'North' }],
  ] as const)
    expect((await world.get(key, query)).statusCode).toBe(404);
  for (const reply of [
    await put(id, { name: 'Taken' }),
    await fill(id, [await sprinkler('B1')]),
    await world.send('PUT /group/devices/remove-all', { groupId: id }),
    await server.call('DELETE /group', { headers: world.headers, query: { groupId: id } }),
  ])
    expect(reply.statusCode).toBe(404);
  expect((await mine.get('GET /group', { groupId: id })).json()).toMatchObject({ name: 'North', version: 1 });
});
