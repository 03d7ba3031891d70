import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UsageLimits } from '@headrace/contract/limits';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createQuotas } from './quotas.ts';
import { createUsageCounter } from './usage-counter.ts';

const limits: UsageLimits = { farmReadingsADay: 10, accountReadingsADay: 15, farmSeries: 4 };
const day = '2026-11-20';

let database: TestDatabase;
let kit: IngestKit;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => {
  kit = await createIngestKit({ limits }, database);
  return () => kit.close();
});

const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 20, n)).toISOString();
const levels = (from: number, to: number) => ({
  items: Array.from({ length: to - from + 1 }, (_, n) => ({
    mac: kit.tank.mac,
    at: minute(from + n),
    values: { levelMm: from + n },
  })),
});
const written = async () =>
  (
    await database.pool.query<{ day: string; readings: string; refused: string }>(
      'select day, readings, refused from farm_usage where farm_id = $1 and (readings > 0 or refused > 0) order by day',
      [kit.farm.id],
    )
  ).rows;
const of = (readings: number, refused = 0) => ({ day, readings: `${readings}`, refused: `${refused}` });

/** The counter alone, on the kit's clock, with what it logs. */
function counter(pool = database.pool) {
  const warnings: object[] = [];
  const note = (details: object) => void warnings.push(details);
  const usage = createUsageCounter(pool, () => kit.clock.now, { warn: note, error: note });
  const add = (readings: number, refused = 0) =>
    usage.add(new Map([[kit.farm.id, readings]]), new Map(refused ? [[kit.farm.id, refused]] : []));
  return { usage, add, warnings };
}

describe('what a farm writes', () => {
  it('is written a little after it was acknowledged, without anybody asking', async () => {
    const sent = kit.send('up/sensor', levels(1, 7));
    await expect.poll(() => sent.isAcknowledged).toBe(true);
    await expect.poll(written, { timeout: 10_000 }).toEqual([of(7)]);
  });

  it('is written when the server stops', async () => {
    const sent = kit.send('up/sensor', levels(1, 12));
    await expect.poll(() => sent.isAcknowledged).toBe(true);
    await kit.ingest.stop();
    expect(await written()).toEqual([of(10, 2)]);
  });

  it('by several servers adds up, and counts for the day on which it was stored', async () => {
    const [one, other] = [counter(), counter()];
    one.add(3);
    other.add(4, 2);
    await Promise.all([one.usage.flush(), other.usage.flush()]);
    one.add(1);
    kit.clock.now = new Date('2026-11-21T00:00:01Z');
    one.add(5);
    await Promise.all([one.usage.stop(), other.usage.stop()]);
    expect(await written()).toEqual([of(8, 2), { ...of(5), day: '2026-11-21' }]);
  });
});

describe('the limit of a day', () => {
  it('holds for what is counted and not yet written, also when it is read anew', async () => {
    const { usage, add } = counter();
    const quotas = createQuotas({ pool: database.pool, now: () => kit.clock.now, limits, usage });
    await quotas.load([kit.farm.id]);
    add(8);
    kit.clock.now = new Date(kit.clock.now.getTime() + 61_000);
    await quotas.load([kit.farm.id]);
    expect(await written()).toEqual([]);
    const tally = quotas.begin();
    expect(tally.take(kit.farm.id, 3, false)).toBe('over the limit of 10 readings a day for a farm');
    expect(tally.take(kit.farm.id, 2, false)).toBeNull();
    await usage.stop();
  });

  it('is not reached by counting twice what is written already', async () => {
    const { usage, add } = counter();
    const quotas = createQuotas({ pool: database.pool, now: () => kit.clock.now, limits, usage });
    add(8);
    await usage.flush();
    await quotas.load([kit.farm.id]);
    expect(quotas.begin().take(kit.farm.id, 2, false)).toBeNull();
  });
});

describe('a count that could not be written', () => {
  it('is kept while the database says that it did not', async () => {
    const { usage, add, warnings } = counter();
    add(3, 1);
    await database.pool.query('alter table farm_usage rename to away');
    await usage.flush();
    await database.pool.query('alter table away rename to farm_usage');
    expect(warnings).toMatchObject([{ isLost: false }]);
    add(2);
    await usage.stop();
    expect(await written()).toEqual([of(5, 1)]);
  });

  it('is never counted twice where nobody knows whether it was written', async () => {
    const query = async (asked: QueryConfig) => {
      await database.pool.query(asked);
      throw new Error('Connection terminated unexpectedly');
    };
    const { usage, add, warnings } = counter({ query } as unknown as Pool);
    add(3);
    await usage.flush();
    await usage.stop();
    expect(warnings).toMatchObject([{ isLost: true }]);
    expect(await written()).toEqual([of(3)]);
  });
});
