import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import type { DeviceRow } from '../../db/schema.ts';
import { buildBackup } from '../../testing/backup-factories.ts';
import { newMac } from '../../testing/device-kit.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { samples } from '../../testing/wall/calls.ts';
import { buildWorld, startWall } from '../../testing/wall/world.ts';
import { firstFarm, person } from '../accounts/testing/account-kit.ts';
import { entry } from '../farms/testing/farm-kit.ts';
import { readOrMakeVapidKeys } from '../notifications/vapid-keys.ts';

let server: TestServer;
let world: FarmWorld;
let units: DeviceRow[];
let poi: DeviceRow;
let groupId: string;
let bakUID: string;
const told: unknown[] = [];

beforeAll(async () => {
  server = await createTestServer({
    requestsPerMinute: 100_000,
    disconnectSender: (key) => told.push(key),
    onDevicesChanged: (farmId) => told.push(farmId),
  });
});
beforeEach(async () => {
  const { db } = server.database;
  world = await buildFarmWorld(server);
  await db
    .updateTable('account')
    .set({ email_confirmed_at: server.clock.now })
    .where('id', '=', world.owner.id)
    .execute();
  bakUID = await buildBackup(db, world.farm);
  const gateway = await buildGateway(db, world.farm.id);
  units = [];
  for (const name of ['A1', 'A2', 'A3'])
    units.push(await buildSprinkler(db, world.farm.id, { name, gateway }));
  poi = await buildDevice(db, world.farm.id, 'poi', { name: 'Gate' });
  const added = await world.send('POST /group', { farmUID: world.farm.uid, name: 'North' });
  groupId = added.json<{ id: string }>().id;
  const ipcs = units.slice(0, 2).map(({ uid }) => uid);
  await world.send('PUT /group/devices/add', { groupId, ipcs, pois: [poi.uid] });
});
afterAll(() => server.close());

/** What a request itself leaves, whatever comes of it. */
const OWN_TRACES = ['session', 'page_view'];

/** Every row of every table, as text. */
async function everything(
  { pool }: { pool: Pool } = server.database,
  but: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const tables = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> all($1) order by 1`,
    [[...OWN_TRACES, ...but]],
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    const rows = await pool.query<{ row: string }>(`select t::text as row from "${name}" t order by 1`);
    all[name] = rows.rows.map(({ row }) => row);
  }
  return all;
}

/** All statements go well, and the commit doesn't: the logs refuse their new rows as the very last thing. */
async function failingAtLast<T>(work: () => Promise<T>): Promise<T> {
  const { pool } = server.database;
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create constraint trigger refuse after insert on change_log deferrable initially deferred
      for each row execute function refuse();
    create constraint trigger refuse after insert on access_log deferrable initially deferred
      for each row execute function refuse()`);
  try {
    return await work();
  } finally {
    await pool.query(
      'drop trigger refuse on change_log; drop trigger refuse on access_log; drop function refuse',
    );
  }
}

const query = (key: string, values: Record<string, string>) =>
  server.call(key, { headers: world.headers, query: values });
const identity = () => ({ name: 'N1', serialNumber: 'NEW-1', macAddress: newMac() });
const unitIds = () => units.map(({ uid }) => uid);
const first = () => units[0]?.uid ?? '';

it.each([
  [
    'an account with its first farm',
    () =>
      server.call('POST /account/register', {
        body: { ...person, email: `first-${world.farm.uid}@example.com`, farms: [firstFarm] },
      }),
  ],
  [
    'invitations',
    () =>
      world.send('POST /permissions', {
        contacts: [
          { name: 'Con Tact', email: 'con@example.com' },
          { name: 'Ann Other', email: 'ann@example.com' },
        ],
        farms: [world.farm.uid],
        isAccountShare: false,
        template: 4,
        permissions: {},
      }),
  ],
  [
    'an import',
    () =>
      world.send('POST /import/file', {
        farmUID: world.farm.uid,
        typeFile: 'podlist',
        data: `name;serial;mac;group\nN7;NEW-7;${newMac()};East\nN8;NEW-8;${newMac()};North\n`,
        filename: 'pods.csv',
      }),
  ],
  ['a restored backup', () => world.send('PUT /backup/restore', { farmUID: world.farm.uid, bakUID })],
  ['a new farm', () => world.send('POST /farm', { ...entry, name: 'Second' })],
  ['a changed farm', () => world.send('PUT /farm', { ...entry, id: world.farm.uid, name: 'Other' })],
  ['a deleted farm', () => query('DELETE /farm', { farmId: world.farm.uid })],
  [
    'a new sprinkler in a group',
    () => world.send('POST /ipc', { farmUID: world.farm.uid, ...identity(), groups: [groupId] }),
  ],
  ['a deleted sprinkler', () => query('DELETE /ipc', { deviceId: first() })],
  [
    'many sprinklers at once',
    () =>
      world.send('POST /ipc/bulk-edit', {
        farmUID: world.farm.uid,
        deviceIds: unitIds(),
        changes: { channel: 7, farmId: '02:03', groups: [groupId] },
      }),
  ],
  [
    'many new sprinklers',
    () =>
      world.send('POST /ipc/bulk-add', {
        farmUID: world.farm.uid,
        units: [identity(), { ...identity(), serialNumber: 'NEW-2', groups: [groupId] }],
      }),
  ],
  [
    'many deleted sprinklers',
    () => world.send('POST /ipc/bulk-delete', { farmUID: world.farm.uid, deviceIds: unitIds() }),
  ],
  [
    'a sprinkler that becomes a point',
    () => world.send('PUT /placeholder/convert-to-poi', { deviceId: first() }),
  ],
  ['a placeholder', () => world.send('PUT /placeholder/convert-to-placeholder', { deviceId: first() })],
  [
    'a point that becomes a sprinkler',
    () => world.send('POST /poi/convert', { poiUID: poi.uid, ...identity() }),
  ],
  [
    'a point that becomes a sensor',
    () => world.send('POST /poi/sensorconv', { poiUID: poi.uid, ...identity(), type: 2 }),
  ],
  ['a new gateway', () => world.send('POST /gateway', { farmUID: world.farm.uid, ...identity(), type: 0 })],
  ['a new group', () => world.send('POST /group', { farmUID: world.farm.uid, name: 'South' })],
  ['a changed group', () => world.send('PUT /group', { id: groupId, name: 'West', isLateral: true })],
  ['a deleted group', () => query('DELETE /group', { groupId })],
  [
    'devices that join a group',
    () => world.send('PUT /group/devices/add', { groupId, ipcs: unitIds(), pois: [] }),
  ],
  [
    'devices that leave a group',
    () => world.send('PUT /group/devices/remove', { groupId, ipcs: unitIds(), pois: [poi.uid] }),
  ],
  ['a group that is emptied', () => world.send('PUT /group/devices/remove-all', { groupId })],
])('%s: when the last write fails, nothing of it stays and nobody is told', async (_what, call) => {
  const before = await everything();
  told.length = 0;
  const reply = await failingAtLast(call);
  expect({ status: reply.statusCode, reply: reply.body }).toMatchObject({ status: 500 });
  expect(await everything()).toEqual(before);
  expect(told).toEqual([]);
});

/** A hundred calls: slow where the machine is busy. */
it('what is only asked for changes no row, but for days that were reckoned and are kept', {
  timeout: 120_000,
}, async () => {
  const wall = await startWall();
  onTestFinished(() => wall.close());
  const asked = await buildWorld(null);
  const headers = await wall.signIn(asked.owner);
  // Made for whoever asks first.
  await readOrMakeVapidKeys(wall.database.db, wall.clock.now);
  const rows = () => everything(wall.database, ['applied_day']);
  const before = await rows();
  // Files take seconds to make, and are made of what the other calls tell.
  const reads = endpoints.filter(({ key, sends }) => key.startsWith('GET ') && !sends);
  let served = 0;
  for (const { key } of reads) {
    const { statusCode } = await wall.call(key, { headers, ...samples[key](asked) });
    if (statusCode === 200) served += 1;
  }
  expect(served).toBeGreaterThan(reads.length * 0.9);
  expect(await rows()).toEqual(before);
});
