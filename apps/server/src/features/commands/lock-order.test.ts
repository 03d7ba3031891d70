import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Answers come in while more is sent: neither may wait for what the other holds. */
let kit: CommandsKit;
let driver: FarmDriver;
let setUID: string;
beforeAll(async () => {
  kit = await createCommandsKit();
});
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 4 });
  const entries = [{ start: 60, duration: 45, cycle: 1 }];
  setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, driver.units, entries);
});
afterAll(() => kit.close());

/** What ingest does for each batch, before it takes the answers in it. */
async function ingestBegins(): Promise<PoolClient> {
  const client = await kit.server.database.pool.connect();
  await client.query("begin; set local lock_timeout = '3s'");
  await client.query('select 1 from gateway_state where farm_id = $1 and device_id = $2 for update', [
    driver.farm.id,
    driver.gateway.id,
  ]);
  return client;
}

async function takesAnswers(client: PoolClient): Promise<void> {
  await client.query('select 1 from command where farm_id = $1 for no key update', [driver.farm.id]);
  await client.query('commit');
  client.release();
}

const isSomebodyWaiting = async () => {
  const { rowCount } = await kit.server.database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
};

it('what is sent waits for a gateway’s news before it holds a command', async () => {
  const ingest = await ingestBegins();
  const sending = driver.send('SendScheduleSet', { payload: { setUID } });
  await eventually(isSomebodyWaiting);
  await takesAnswers(ingest);
  expect((await sending).statusCode).toBe(200);
  await eventually(() => driver.messages('schedules').length > 0);
});

it('so does a stop that ends schedules which a gateway holds', async () => {
  await driver.command('SendScheduleSet', { payload: { setUID } });
  const ingest = await ingestBegins();
  const stopping = driver.send('Inhibit');
  await eventually(isSomebodyWaiting);
  await takesAnswers(ingest);
  expect((await stopping).statusCode).toBe(200);
});
