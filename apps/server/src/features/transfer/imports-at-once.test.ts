import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildFarmWorld(server);
  await buildSprinkler(server.database.db, world.farm.id, { name: 'A1', serial_number: 'IPC1' });
});

const file = (data: string, farm = world.farm) => ({
  farmUID: farm.uid,
  typeFile: 'podlist',
  data,
  filename: 'pods.csv',
});
const TWO = 'name;serial;mac;channel\nA1;IPC1;;16\nB1;NEW1;0004B3000001;7';

/** Until this many statements of the server wait for a lock. */
const untilWaiting = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await server.database.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length;
    })
    .toBe(count);

/** Lets an import come as far as its backup, and no further until `meanwhile` is over. */
async function duringImport<T>(meanwhile: () => Promise<T>): Promise<[ImportDone, T]> {
  const { revision } = (await world.send('POST /import/plan', file(TWO))).json<ImportPlan>();
  const client = await server.database.pool.connect();
  try {
    await client.query('begin; lock table farm_backup in share row exclusive mode');
    const applied = world.send('POST /import/apply', { ...file(TWO), revision });
    await untilWaiting(1);
    const seen = meanwhile();
    await seen.catch(() => undefined);
    await client.query('commit');
    return [(await applied).json<ImportDone>(), await seen];
  } finally {
    client.release();
  }
}

it('a plan asked for during an import of the same farm waits for it, and says what is left to do', async () => {
  const [done, { asked }] = await duringImport(async () => {
    const asked = world.send('POST /import/plan', file(`${TWO}\nC1;NEW2;0004B3000002;8`));
    await untilWaiting(2);
    return { asked };
  });
  expect(done).toMatchObject({ result: true, msg: { res_message: '2 imported, 0 skipped' } });
  const { counts } = (await asked).json<ImportPlan>();
  expect(counts).toEqual({ add: 1, change: 0, choose: 0, same: 2, 'left out': 0 });
});

it('a plan of another farm, and what the same farm shows, do not wait for an import', async () => {
  const other = await buildFarmWorld(server);
  const [, replies] = await duringImport(async () => [
    await other.send('POST /import/plan', file('name;serial;mac\nB1;NEW1;0004B3000003', other.farm)),
    await world.get('GET /ipc/status', { farmUID: world.farm.uid }),
  ]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});
