import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteJoined, readPolled } from './joined-polls.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';
import { readAhead } from './unit-facts.ts';
import { readWaiting } from './waiting-for-others.ts';
import { waitingUnitsOf } from './waiting-units.ts';

/** Two polls of a farm of 400 under way, the second of which waits for the first: nobody compares each unit with each. */
const UNITS = 400;
/** A statement that compares each with each handles 160,000 rows. */
const MOST_ROWS = 50 * UNITS;

let kit: CommandsKit;
let driver: FarmDriver;
let newer: number;
beforeAll(async () => {
  kit = await createCommandsKit();
  driver = await kit.farm({ units: UNITS });
  const poll = () => driver.queue('PollGroup', { payload: { groupUID: 'FARM' } });
  await poll();
  const uid = await poll();
  const { pool } = kit.server.database;
  const { rows } = await pool.query<{ id: number }>('select id from command where uid = $1', [uid]);
  newer = rows[0]?.id ?? 0;
}, 60_000);
afterAll(() => kit.close());

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Node[];
}

const rowsOf = (node: Node): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);

/** The same database, which says of each statement how many rows it handled on its way. */
function counting(pool: Pool) {
  const counts: number[] = [];
  const query = async (statement: string | QueryConfig, values: unknown[] = []) => {
    const { text, values: own = values } = typeof statement === 'string' ? { text: statement } : statement;
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (analyze, format json) ${text}`,
      own as unknown[],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan) counts.push(rowsOf(plan));
    return { rows: [] };
  };
  return { pool: { query } as unknown as Pool, counts };
}

it.each<[what: string, ask: (pool: Pool) => Promise<unknown>]>([
  [
    'which units of a new poll wait',
    (pool) => noteJoined(pool, { farmId: driver.farm.id, commandId: newer }),
  ],
  [
    'which units a poll is under way for',
    (pool) =>
      readPolled(
        pool,
        driver.farm.id,
        driver.units.map(({ id }) => id),
      ),
  ],
  [
    'what a gateway has to do before a new send',
    (pool) => readAhead(pool, driver.farm.id, [driver.gateway.id], []),
  ],
  [
    'which other commands one waits for',
    (pool) => readWaiting(pool, [driver.farm.id], [newer], kit.clock.now),
  ],
  [
    'how much a gateway has until it is done with a command',
    (pool) =>
      waitingUnitsOf(pool).unitsUpTo({ farmId: driver.farm.id, gatewayId: driver.gateway.id }, [newer]),
  ],
])('%s is found without comparing each unit with each', async (_, ask) => {
  const { pool, counts } = counting(kit.server.database.pool);
  await ask(pool);
  expect(counts).toHaveLength(1);
  expect(counts[0]).toBeGreaterThan(UNITS);
  expect(counts[0]).toBeLessThan(MOST_ROWS);
});
