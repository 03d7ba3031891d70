import type { Socket } from 'node:net';
import { setImmediate as immediately } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { connectDatabase, type DatabaseClient } from './client.ts';
import { fairSocket } from './fair-socket.ts';

let database: TestDatabase;
let client: DatabaseClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = connectDatabase(database.url);
});
afterAll(async () => {
  await client.close();
  await database.close();
});

const long = (rows: number) =>
  client.pool.query<{ n: number; text: string }>(
    `select n, repeat(n::text, 60) as text from generate_series(1, $1::int) n`,
    [rows],
  );

it('takes pieces of answers for a moment, and the rest when others have had their turn', async () => {
  const [one, other] = [fairSocket(), fairSocket()];
  const piece = (socket: Socket) => {
    socket.emit('data', Buffer.from('rows'));
    for (const begun = performance.now(); performance.now() - begun < 5; );
    return socket.isPaused();
  };
  // All connections together have one moment.
  expect([piece(one), piece(other), piece(one)]).toEqual([false, true, true]);
  await immediately();
  expect([one, other].map((socket) => socket.isPaused())).toEqual([false, false]);
  expect(piece(one)).toBe(false);
});

it('a long answer comes whole and in order', async () => {
  const { rows } = await long(200_000);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 200_000 }, (_, nth) => nth + 1));
  expect(rows.at(-1)?.text).toBe('200000'.repeat(60));
});

it('several long answers at once come whole, and connections serve again afterwards', async () => {
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, nth) => long(10_000 + nth)));
    expect(answers.map(({ rows }) => rows.length)).toEqual([10_000, 10_001, 10_002, 10_003, 10_004, 10_005]);
  }
});

it('a connection that ends while its answer waits is told of as broken', async () => {
  const broken = client.pool.connect().then(async (one) => {
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    const asked = one.query(
      `select n, repeat('x', 200), pg_sleep(case when n = 60000 then 60 else 0 end) from generate_series(1, 60000) n`,
    );
    await expect
      .poll(async () => {
        const { rows: waits } = await database.pool.query(
          `select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`,
          [rows[0]?.pid],
        );
        return waits.length;
      })
      .toBe(1);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    return asked.finally(() => one.release(true));
  });
  await expect(broken).rejects.toThrow();
  expect((await long(3)).rows).toHaveLength(3);
});
