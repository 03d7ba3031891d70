import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { ensurePartitions, inTransaction } from '../../db/partitions.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import type { Series, SeriesReading } from './fold-rollups.ts';
import { writeReadings } from './reading-writer.ts';

let kit: IngestKit;
beforeAll(async () => {
  kit = await createIngestKit();
});
afterAll(() => kit.close());

const lordHowe: Timezone = {
  timeZoneId: 'Australia/Lord_Howe',
  rawOffset: 37_800,
  dstOffset: 1800,
  dstEnabled: true,
};
const chatham: Timezone = {
  timeZoneId: 'Pacific/Chatham',
  rawOffset: 45_900,
  dstOffset: 3600,
  dstEnabled: true,
};
const auckland: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};

type Kind = Partial<Pick<Series, 'isCounter' | 'isDelta' | 'isRate'>>;
let seriesCount = 0;
/** An empty series: a metric of its own for each run. */
async function newSeries(tank: DeviceRow, zone: Timezone, kind: Kind = {}) {
  const { id } = await kit.database.db
    .insertInto('series')
    .values({ farm_id: tank.farm_id, device_id: tank.id, metric: `m${(seriesCount += 1)}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await kit.database.pool.query('insert into latest (farm_id, series_id) values ($1, $2)', [
    tank.farm_id,
    id,
  ]);
  return { farmId: tank.farm_id, id, isCounter: false, ...kind, zone };
}

async function write(rows: readonly SeriesReading[]): Promise<void> {
  await ensurePartitions(
    kit.database.pool,
    rows.map(({ at }) => at),
  );
  await inTransaction(kit.database.pool, (client) => writeReadings(client, rows));
}

/** Everything that is stored of a series. */
async function stored(seriesId: number) {
  const { pool } = kit.database;
  const read = async (table: string) =>
    (await pool.query(`select * from ${table} where series_id = $1 order by at`, [seriesId])).rows.map(
      ({ farm_id: _farm, series_id: _series, ...row }: Record<string, unknown>) => row,
    );
  return {
    reading: await read('reading'),
    latest: await read('latest'),
    hour: await read('reading_hour'),
    day: await read('reading_day'),
  };
}

/** Two nights around a change of the clock, in steps of ten minutes; values whose sums are exact. */
const minute = fc.integer({ min: 0, max: 300 }).map((step) => step * 10);
const value = fc.option(
  fc.integer({ min: -8, max: 40 }).map((quarter) => quarter / 4),
  { freq: 6 },
);
/** Minutes that the clock of its gateway was ahead when it was received. */
const ahead = fc.constantFrom(0, 0, 0, 2, 9, 10);
const readings = fc.uniqueArray(fc.tuple(minute, value, ahead), {
  selector: ([at]) => at,
  minLength: 1,
  maxLength: 14,
});

describe('readings', () => {
  it('come to the same in any order, in any batches, with any repeats', async () => {
    const scenario = readings.chain((rows) =>
      fc.record({
        rows: fc.constant(rows),
        arrivals: fc
          .shuffledSubarray(
            [...rows, ...rows.slice(0, 4)].map((_, index) => index),
            {
              minLength: rows.length + Math.min(4, rows.length),
            },
          )
          .map((order) =>
            order.map((index) => [...rows, ...rows.slice(0, 4)][index] as (typeof rows)[number]),
          ),
        cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
        kind: fc.constantFrom<Kind>({}, { isCounter: true }, { isDelta: true }, { isRate: true }),
        // Around the end of a register, and of one whose size the device says.
        base: fc.constantFrom(0, 65_533),
        wrapAt: fc.constantFrom(null, 8, 65_536),
        zone: fc.constantFrom(
          { zone: auckland, from: '2026-09-26T00:00Z' },
          { zone: auckland, from: '2027-04-03T00:00Z' },
          { zone: chatham, from: '2026-09-26T00:00Z' },
          { zone: chatham, from: '2027-04-03T00:00Z' },
          { zone: lordHowe, from: '2026-10-03T00:00Z' },
          { zone: lordHowe, from: '2027-04-03T00:00Z' },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ rows, arrivals, cuts, kind, base, wrapAt, zone: { zone, from } }) => {
          const inOrder = { ...(await newSeries(kit.tank, zone, kind)), wrapAt };
          const shuffled = { ...(await newSeries(kit.tank, zone, kind)), wrapAt };
          const shown = (value: number | null) => value && (value + base) % 65_536;
          const at = (count: number) => Date.parse(from) + count * 60_000;
          const rowOf = (series: Series, [count, value, ahead]: (typeof rows)[number]) => ({
            series,
            at: at(count),
            value: shown(value),
            receivedAt: at(count - ahead),
          });
          for (const row of rows.toSorted(([a], [b]) => a - b)) await write([rowOf(inOrder, row)]);
          const rest = [...arrivals];
          for (let turn = 0; rest.length > 0; turn += 1) {
            const batch = rest.splice(0, cuts[turn % cuts.length]);
            await write(batch.map((row) => rowOf(shuffled, row)));
          }
          expect(await stored(shuffled.id)).toEqual(await stored(inOrder.id));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of a total below zero count nothing, in order or late', async () => {
    const values = [3.75, 7.25, -1, 5.5];
    const rows = (series: Series) =>
      values.map((value, nth) => ({ series, at: Date.parse('2026-11-18T00:00Z') + nth * 3_600_000, value }));
    const [inOrder, late] = [
      await newSeries(kit.tank, auckland, { isCounter: true }),
      await newSeries(kit.tank, auckland, { isCounter: true }),
    ];
    for (const row of rows(inOrder)) await write([row]);
    for (const nth of [3, 0, 2, 1]) await write([rows(late)[nth]].flatMap((row) => row ?? []));
    const { hour } = await stored(inOrder.id);
    // 3.5 to 7.25; nothing for −1; from there to 5.5 it is as if it had begun anew.
    expect(hour.map(({ rises }) => rises)).toEqual([0, 3.5, 0, 6.5]);
    expect(await stored(late.id)).toEqual(await stored(inOrder.id));
  });

  it('come to the same from two servers at once', async () => {
    const series = await Promise.all(Array.from({ length: 6 }, () => newSeries(kit.tank, auckland)));
    const expected = await newSeries(kit.tank, auckland);
    const from = Date.parse('2026-11-18T00:00Z');
    const valueAt = (step: number) => 1000 + ((step * 37) % 200);
    const rowOf = (of: SeriesReading['series'], step: number) => ({
      series: of,
      at: from + step * 600_000,
      value: valueAt(step),
    });
    for (let step = 0; step < 120; step += 1) await write([rowOf(expected, step)]);
    // Every fourth time comes to both. One goes backwards, so that much of what it writes is late.
    const quarters = Array.from({ length: 30 }, (_, index) => index * 4);
    const serve = async (starts: number[], taken: number[], order: typeof series) => {
      for (const start of starts)
        await write(order.flatMap((one) => taken.map((step) => rowOf(one, start + step))));
    };
    await Promise.all([
      serve(quarters, [0, 2, 3], series),
      serve(quarters.toReversed(), [3, 1], series.toReversed()),
    ]);
    const plain = await stored(expected.id);
    for (const one of series) expect(await stored(one.id)).toEqual(plain);
  });

  it('that are late change the bucket that holds the reading after them', async () => {
    // New Zealand, 20 November 2026: 09:55 and 10:20 local, then 09:58 arrives.
    await kit.levels(['2026-11-19T20:55:00Z', 1000], ['2026-11-19T21:20:00Z', 960]);
    await kit.levels(['2026-11-19T20:58:00Z', 990]);
    const rows = await kit.database.db
      .selectFrom('reading_hour as h')
      .innerJoin('series as s', 's.id', 'h.series_id')
      .where('s.device_id', '=', kit.tank.id)
      .where('s.metric', '=', 'levelMm')
      .select(['h.at', 'n', 'falls', 'first_value', 'last_value'])
      .orderBy('h.at')
      .execute();
    expect(rows).toEqual([
      { at: new Date('2026-11-19T20:00:00Z'), n: 2, falls: 10, first_value: 1000, last_value: 990 },
      { at: new Date('2026-11-19T21:00:00Z'), n: 1, falls: 30, first_value: 960, last_value: 960 },
    ]);
  });

  it('count in the day of the farm, on the night of the clock change too', async () => {
    const owner = kit.farm.owner_id;
    const farm = await buildFarm(kit.database.db, owner, {
      time_zone_id: 'Pacific/Chatham',
      raw_offset: 45_900,
    });
    const tank = await buildTank(kit.database.db, farm.id);
    kit.clock.now = new Date('2026-11-27T00:00:00Z');
    // 26 September 2026 11:15 UTC is midnight on the Chathams; the day has 23 hours and ends at 27 September 10:15 UTC.
    const times = [
      '2026-09-26T11:14:59Z',
      '2026-09-26T11:15:00Z',
      '2026-09-27T10:14:59Z',
      '2026-09-27T10:15:00Z',
    ];
    await kit.store(
      'up/sensor',
      { items: times.map((at, index) => ({ mac: tank.mac, at, values: { levelMm: 100 * (index + 1) } })) },
      { sender: { kind: 'server' }, topic: await gatewayTopicOn(farm.id) },
    );
    const days = await kit.database.db
      .selectFrom('reading_day')
      .where('farm_id', '=', farm.id)
      .select(['at', 'n', 'rises'])
      .orderBy('at')
      .execute();
    expect(days).toEqual([
      { at: new Date('2026-09-25T11:15:00Z'), n: 1, rises: 0 },
      { at: new Date('2026-09-26T11:15:00Z'), n: 2, rises: 200 },
      { at: new Date('2026-09-27T10:15:00Z'), n: 1, rises: 100 },
    ]);
  });
});

async function gatewayTopicOn(farmId: number): Promise<string> {
  const gateway = await buildGateway(kit.database.db, farmId);
  return `headrace/v1/${gateway.mac}/up/sensor`;
}
