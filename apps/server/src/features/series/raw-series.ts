import { sql } from 'kysely';
import { ALIVE_MS } from '@headrace/contract/rules/water-take/volume';
import { isWithin } from '@headrace/contract/rules/within';
import { metricInfo } from '@headrace/device/metrics';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { fallsOf, withoutComebacks } from './comebacks.ts';
import { stepBetween } from './step-between.ts';
import { lastGood, ofOne } from './good-readings.ts';
import { readRollups } from './read-rollups.ts';
import type { Bounds, Given, Range, Rollup, RollupSeries, Span } from './rollup-query.ts';
import { isCounter, type WantedSeries } from './series-limits.ts';

export interface RawRow {
  series_id: number;
  at: Date;
  value: number | null;
  place: 'before' | 'in' | 'after';
}

/** So far on either side of a range a total is read that may fall and come back at its end: twice so far, and what is beside it. */
const [EARLIER, LATER] = [3, 2].map((times) => sql.lit(`${(times * ALIVE_MS) / 1000} s`));

/**
 * Of the series that `wanted` has by `id`, the readings in the bounds and the next valid ones beyond, of those that `counts` more of these;
 * series by series as `rowsOfWanted`.
 */
export const readingsOfWanted = (given: Given<Bounds>) => sql`
  select wanted.id as series_id, within.at, within.value, 'in' as place from wanted
  cross join lateral (
    select at, value from reading
    where farm_id = ${given('farmId')} and series_id = wanted.id
      and at >= ${given('from')} and at < ${given('to')}
  ) as within
  union all
  select wanted.id, earlier.at, earlier.value, 'before' from wanted
  cross join lateral (
    select at, value from reading
    where farm_id = ${given('farmId')} and series_id = wanted.id and at < ${given('from')} and value is not null
    order by at desc limit 1
  ) as earlier
  union all
  select wanted.id, later.at, later.value, 'after' from wanted
  cross join lateral (
    select at, value from reading
    where farm_id = ${given('farmId')} and series_id = wanted.id and at >= ${given('to')} and value is not null
    order by at limit 1
  ) as later
  union all
  select wanted.id, around.at, around.value, case when around.at < ${given('from')} then 'before' else 'after' end
  from wanted
  cross join lateral (
    (select at, value from reading
    where farm_id = ${given('farmId')} and series_id = wanted.id and value is not null
      and at >= ${given('from')}::timestamptz - ${EARLIER}::interval and at < ${given('from')}
    order by at desc offset 1)
    union all
    (select at, value from reading
    where farm_id = ${given('farmId')} and series_id = wanted.id and value is not null
      and at >= ${given('to')} and at < ${given('to')}::timestamptz + ${LATER}::interval
    order by at offset 1)
  ) as around
  where wanted.counts`;

const rawRows = prepared<Bounds & { ids: readonly number[]; counters: readonly number[] }, RawRow>(
  'raw-readings',
  (_db, given) => sql<RawRow>`
    with wanted as materialized (
      select id, id = any(${given('counters')}::int[]) as counts from unnest(${givenList(given('ids'), 'int')}) as id
    )
    ${readingsOfWanted(given)}
    order by series_id, at`,
);

/**
 * Readings in [from, to) (epoch ms) as rollups of one reading each, oldest first, by series, in one query. So the same rules work on
 * readings as on hours and days, with the same sums. A reading that the device called invalid, or that is impossible, is NaN, which
 * no rule uses as a value; for counters and deltas it is left out, as in the rollups. If the newest reading before the range is
 * impossible, a second query finds the newest possible one.
 */
export async function readRaw(
  db: Db,
  device: Pick<DeviceRow, 'farm_id'>,
  series: readonly WantedSeries[],
  range: Range,
): Promise<Map<number, RollupSeries>> {
  if (series.length === 0) return new Map();
  const rows = await rawRows(db, {
    farmId: device.farm_id,
    ids: series.map(({ id }) => id),
    counters: series.filter(({ metric }) => isCounter(metric)).map(({ id }) => id),
    from: new Date(range.from),
    to: new Date(range.to),
  });
  return readingsBySeries(db, device, series, rows);
}

/** The same of rows that have been read. */
export async function readingsBySeries(
  db: Db,
  device: Pick<DeviceRow, 'farm_id'>,
  series: readonly WantedSeries[],
  rows: readonly RawRow[],
): Promise<Map<number, RollupSeries>> {
  const found = new Map<number, RollupSeries>();
  const good = await lastGood(
    db,
    device.farm_id,
    series.flatMap(({ id, limits }) => {
      const before = rows.filter((row) => row.place === 'before' && row.series_id === id);
      const newest = before.at(-1);
      if (!newest || !limits || before.some(({ value }) => isWithin(limits, value))) return [];
      return [{ seriesId: id, at: newest.at.getTime(), limits }];
    }),
  );
  for (const one of series) {
    const own = rows.filter((row) => row.series_id === one.id);
    found.set(one.id, toSeries(one, own, good.get(one.id) ?? null));
  }
  return found;
}

function toSeries(
  { metric, limits, wrapAt }: WantedSeries,
  rows: readonly RawRow[],
  good: Rollup | null,
): RollupSeries {
  const kind = metricInfo(metric)?.kind;
  const isAmount = kind === 'counter' || kind === 'delta';
  const steps = { isCounter: kind === 'counter', wrapAt };
  const canBe = (value: number) => (limits ? isWithin(limits, value) : !Number.isNaN(value));
  const said = { before: good ? [good] : [], in: [] as Rollup[], after: [] as Rollup[] };
  let last = good?.lastValue ?? null;
  for (const { at, value, place } of rows) {
    const isValid = value !== null && canBe(value);
    if (!isValid && (isAmount || place !== 'in')) continue;
    const step = isValid ? stepBetween(last, value, steps) : undefined;
    said[place].push(ofOne(at.getTime(), isValid ? value : Number.NaN, step));
    if (isValid) last = value;
  }
  const series = {
    before: said.before.pop() ?? null,
    rows: said.in,
    after: said.after.shift() ?? null,
    beyond: { earlier: said.before, later: said.after },
  };
  return steps.isCounter ? withoutComebacks(series, fallsOf(series, wrapAt)) : series;
}

/** Readings, hours or days of a device's series: all look alike. */
export function readSpans(
  db: Db,
  span: Span | 'reading',
  device: Pick<DeviceRow, 'farm_id'>,
  series: readonly WantedSeries[],
  range: Range,
): Promise<ReadonlyMap<number, RollupSeries>> {
  if (span === 'reading') return readRaw(db, device, series, range);
  return readRollups(db, { span, farmId: device.farm_id, range }, series);
}
