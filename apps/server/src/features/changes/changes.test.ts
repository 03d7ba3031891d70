import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordKind } from '@headrace/contract/live';
import { levels, presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { boundary, farmCalls, landAt } from '../farms/testing/farm-kit.ts';
import { logChanges } from './change-log.ts';

let server: TestServer;
let owner: AccountRow;
let owned: Awaited<ReturnType<typeof farmCalls>>;
beforeAll(async () => {
  server = await createTestServer();
  owner = await buildAccount(server.database.db, { name: 'Olive Owner' });
  owned = await farmCalls(server, owner);
});
afterAll(() => server.close());

async function newFarm() {
  const { farmUID: uid } = (await owned.create()).json<{ farmUID: string }>();
  const { id } = await server.database.db
    .selectFrom('farm')
    .select('id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  return { uid, id };
}

const kinds = ['gateway', 'sprinkler', 'repeater', 'sensor', 'poi', 'group', 'unheard of'];

/** One change of each kind, and who made it. */
const changesOf = (farmId: number, accountId: number | null) =>
  kinds.map((kind, index) => ({
    farmId,
    accountId,
    kind: kind as RecordKind,
    uid: `65a${String(index).padStart(21, '0')}`,
    name: `The ${kind}`,
    what: 'created' as const,
    fields: [],
  }));

it('a person reads who changed what of a farm, from what and to what, newest first', async () => {
  const { uid } = await newFarm();
  await owned.change(uid, {
    name: 'North farm',
    address: { fullAddress: '2 Race Road, Hinds' },
    boundary: [...boundary, { lat: -43.76, lng: 171.95 }],
    irrigationArea: 30,
  });
  await owned.change(uid, {
    name: 'North farm',
    address: { fullAddress: '2 Race Road, Hinds' },
    ...landAt(-31.952, 115.861),
  });
  await owned.call('PUT /farm-timezone', { body: { farmUID: uid, dstEnabled: true } });
  const { changes, more } = await owned.changes(uid);
  expect(more).toBe(false);
  expect(changes.map(({ by, what, name, fields }) => [by, what, name, fields])).toEqual([
    [
      'Olive Owner',
      'changed',
      'North farm',
      [
        { field: 'dstEnabled', from: true, to: false },
        { field: 'timeZone', from: 'Pacific/Auckland', to: 'Australia/Perth' },
      ],
    ],
    [
      'Olive Owner',
      'changed',
      'North farm',
      [
        { field: 'lat', from: -43.75, to: -31.952 },
        { field: 'lng', from: 171.95, to: 115.861 },
        { field: 'boundary', from: '4 points', to: '3 points' },
        // As many degrees of longitude are 1.172 times as far there.
        { field: 'size', from: expect.closeTo(89.46, 1), to: expect.closeTo(52.41, 1) },
      ],
    ],
    [
      'Olive Owner',
      'changed',
      'North farm',
      [
        { field: 'name', from: 'Home farm', to: 'North farm' },
        { field: 'address', from: '1 Race Road, Hinds', to: '2 Race Road, Hinds' },
        { field: 'irrigationArea', from: 0, to: 30 },
        { field: 'boundary', from: '3 points', to: '4 points' },
        { field: 'size', from: expect.closeTo(44.73, 1), to: expect.closeTo(89.46, 1) },
      ],
    ],
    ['Olive Owner', 'created', 'Home farm', []],
  ]);
});

it('is told only of what the caller may read', async () => {
  const { db } = server.database;
  const { uid, id } = await newFarm();
  await logChanges(db, changesOf(id, null), server.clock.now);
  const helper = await buildAccount(db, { type: 'AGENT' });
  const heardWith = async (permissions: object) => {
    await db.deleteFrom('share').where('farm_id', '=', id).execute();
    await buildShare(db, id, helper.id, { ...presets.none, farms: levels.Read, ...permissions });
    const { changes } = await (await farmCalls(server, helper)).changes(uid);
    return changes.map(({ kind }) => kind);
  };
  expect(await heardWith({})).toEqual(['farm']);
  expect(await heardWith({ sensors: levels.Read })).toEqual(['sensor', 'farm']);
  expect(await heardWith({ irrigationDevices: levels.Read, groups: levels.Read })).toEqual([
    'group',
    'sprinkler',
    'farm',
  ]);
  // To write isn't to read.
  expect(await heardWith({ gateways: levels.Edit })).toEqual(['farm']);
  expect((await owned.changes(uid)).changes.map(({ kind }) => kind)).toEqual([
    'group',
    'poi',
    'sensor',
    'repeater',
    'sprinkler',
    'gateway',
    'farm',
  ]);
});

it('of an alert by itself who changed it, without its fields, to whoever is told of alerts', async () => {
  const { db } = server.database;
  const { uid, id } = await newFarm();
  const alert = '65a00000000000000000a1e7';
  const fields = [{ field: 'people', from: [1], to: [1, 2] }];
  const change = { kind: 'alert' as const, uid: alert, name: 'Frost', what: 'changed' as const, fields };
  await logChanges(db, [{ farmId: id, accountId: owner.id, ...change }], server.clock.now);
  const helper = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, id, helper.id, { ...presets.none, farms: levels.Read });
  const helping = await farmCalls(server, helper);
  const toOwner = await owned.changes(uid, { uid: alert });
  expect(toOwner.changes.map(({ by, name, fields }) => [by, name, fields])).toEqual([
    ['Olive Owner', 'Frost', []],
  ]);
  expect((await helping.changes(uid, { uid: alert })).changes).toEqual([]);
  expect((await owned.changes(uid)).changes.map(({ kind }) => kind)).toEqual(['farm']);
});

it('is read page by page, and of one thing alone', async () => {
  const { uid, id } = await newFarm();
  await logChanges(server.database.db, changesOf(id, owner.id), server.clock.now);
  const first = await owned.changes(uid, { limit: '3' });
  expect(first.changes.map(({ kind }) => kind)).toEqual(['group', 'poi', 'sensor']);
  expect(first.more).toBe(true);
  const second = await owned.changes(uid, { limit: '4', before: first.changes.at(-1)?._id ?? '' });
  expect(second.changes.map(({ kind }) => kind)).toEqual(['repeater', 'sprinkler', 'gateway', 'farm']);
  expect(second.more).toBe(false);
  const [group] = first.changes;
  expect((await owned.changes(uid, { uid: '65A000000000000000000005' })).changes).toEqual([group]);
});

it('has what was done as one once, with how many there are, and its parts where they are asked for', async () => {
  const { db } = server.database;
  const { uid, id } = await newFarm();
  const log = (batchId: string | null, names: string[]) =>
    logChanges(
      db,
      names.map((name, nth) => ({
        farmId: id,
        accountId: owner.id,
        kind: 'sprinkler' as const,
        uid: `65a${batchId ?? '0'}${String(nth).padStart(20, '0')}`,
        name,
        what: 'created' as const,
        fields: [],
        batch: batchId === null ? undefined : { id: batchId },
      })),
      server.clock.now,
    );
  await log('7', ['A1', 'A2', 'A3']);
  await log(null, ['B1']);
  await log('8', ['C1', 'C2']);
  const first = await owned.changes(uid, { together: 'true', limit: '2' });
  expect(first.changes.map(({ name, parts }) => [name, parts])).toEqual([
    ['C2', 2],
    ['B1', undefined],
  ]);
  expect(first.more).toBe(true);
  const before = first.changes.at(-1)?._id ?? '';
  const second = await owned.changes(uid, { together: 'true', limit: '2', before });
  expect(second.changes.map(({ name, parts }) => [name, parts])).toEqual([
    ['A3', 3],
    ['Home farm', undefined],
  ]);
  expect(second.more).toBe(false);
  const of = second.changes[0]?._id ?? '';
  const parts = await owned.changes(uid, { with: of, limit: '2' });
  expect(parts.changes.map(({ name }) => name)).toEqual(['A3', 'A2']);
  expect(parts.more).toBe(true);
  const other = await newFarm();
  expect((await owned.changes(other.uid, { with: of })).changes).toEqual([]);
});

it("another farm's changes stay there, and a made-up page is refused", async () => {
  const { id } = await newFarm();
  const other = await newFarm();
  await logChanges(server.database.db, changesOf(id, owner.id), server.clock.now);
  expect((await owned.changes(other.uid)).changes).toHaveLength(1);
  const reply = await owned.call('GET /changes', { query: { farmUID: other.uid, before: "1' or 1=1" } });
  expect(reply.statusCode).toBe(400);
});

it('keeps what was done when the account is gone', async () => {
  const { db } = server.database;
  const { uid, id } = await newFarm();
  const helper = await buildAccount(db, { name: 'Gone' });
  await logChanges(db, changesOf(id, helper.id).slice(0, 1), server.clock.now);
  await db.deleteFrom('account').where('id', '=', helper.id).execute();
  expect((await owned.changes(uid)).changes[0]).toMatchObject({ by: '', kind: 'gateway', what: 'created' });
});
