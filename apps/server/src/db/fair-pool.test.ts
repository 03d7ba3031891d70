import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { connectDatabase, type DatabaseClient } from './client.ts';
import { onBehalfOf } from './fair-pool.ts';

const share = { max: 4, connectMs: 1000, statementMs: 60_000, lockMs: 0 };
let database: TestDatabase;
let client: DatabaseClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = connectDatabase(database.url, { share });
});
afterAll(async () => {
  await client.close();
  await database.close();
});

/** Connections that wait for a lock that `held` is given, until it is called. */
async function holdUp(): Promise<{ ask: () => Promise<unknown>; letGo: () => Promise<unknown> }> {
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock(77)');
  return {
    ask: () => client.pool.query('select pg_advisory_lock_shared(77), pg_advisory_unlock_shared(77)'),
    async letGo() {
      await holder.query('select pg_advisory_unlock(77)');
      holder.release();
    },
  };
}

const isStuck = async (howMany: number) => {
  const { rows } = await database.pool.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where wait_event = 'advisory' and datname = current_database()",
  );
  expect(rows[0]?.n).toBe(howMany);
};

it('leaves half of the connections to the others, however much one farm asks', async () => {
  const { ask, letGo } = await holdUp();
  const stuck = Promise.all(Array.from({ length: 2 }, () => onBehalfOf('farm 1', ask)));
  await expect.poll(() => isStuck(2)).toBeUndefined();
  const more = onBehalfOf('farm 1', ask);
  const other = await onBehalfOf('farm 2', () => client.pool.query('select 2 as n'));
  expect(other.rows).toEqual([{ n: 2 }]);
  await expect(more).rejects.toThrow('timeout exceeded when trying to connect');
  await isStuck(2);
  await letGo();
  await stuck;
});

it('hands on what comes back, to Kysely too, and counts none twice', async () => {
  const ask = () => onBehalfOf('farm 1', () => client.db.selectFrom('farm').select('id').execute());
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => []));
  const failed = Array.from({ length: 20 }, () => onBehalfOf('farm 1', () => client.pool.query('select')));
  await Promise.all(failed);
  const broken = Array.from({ length: 20 }, () => onBehalfOf('farm 1', () => client.pool.query('no sql')));
  expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await ask()).toEqual([]);
});

it('ends a connection on which nothing was heard, instead of handing it out again', async () => {
  const hasty = connectDatabase(database.url, { share: { ...share, max: 1, statementMs: 0 } });
  const pid = async () => {
    const rows = await hasty.db.selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid')).execute();
    return rows[0]?.pid;
  };
  const before = await pid();
  const connection = await hasty.pool.connect();
  await expect(
    connection.query({ text: 'select pg_sleep(30)', query_timeout: 50 } as { text: string }),
  ).rejects.toThrow('Query read timeout');
  connection.release();
  expect(await pid()).not.toBe(before);
  await database.pool.query('select pg_terminate_backend($1)', [before]);
  await hasty.close();
});
