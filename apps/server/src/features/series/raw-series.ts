import { sql } from 'kysely';
import { isWithin } from '@headrace/contract/rules/within';
import { wrapOf } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { stepBetween } from './step-between.ts';
import { lastGood, ofOne } from './good-readings.ts';
import { readRollups } from './read-rollups.ts';
import type { Bounds, Given, Range, Rollup, RollupSeries, Span } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';

export interface RawRow {
  series_id: number;
  at: Date;
  value: number | null;
  place: 'before' | 'in' | 'after';
}

/** Of the series that `wanted` has by `id`, the readings in the bounds and the next valid ones beyond; series by series as `rowsOfWanted`. */
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
  ) as later`;

const rawRows = prepared<Bounds & { ids: readonly number[] }, RawRow>(
  'raw-readings',
  (_db, given) => sql<RawRow>`
    with wanted as materialized (select unnest(${givenList(given('ids'), 'int')}) as id)
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
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly WantedSeries[],
  range: Range,
): Promise<Map<number, RollupSeries>> {
  if (series.length === 0) return new Map();
  const rows = await rawRows(db, {
    farmId: device.farm_id,
    ids: series.map(({ id }) => id),
    from: new Date(range.from),
    to: new Date(range.to),
  });
  return readingsBySeries(db, device, series, rows);
}

/** The same of rows that have been read. */
export async function readingsBySeries(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly WantedSeries[],
  rows: readonly RawRow[],
): Promise<Map<number, RollupSeries>> {
  const found = new Map<number, RollupSeries>();
  const good = await lastGood(
    db,
    device.farm_id,
    series.flatMap(({ id, limits }) => {
      const before = rows.find((row) => row.place === 'before' && row.series_id === id);
      if (!before || !limits || isWithin(limits, before.value)) return [];
      return [{ seriesId: id, at: before.at.getTime(), limits }];
    }),
  );
  for (const one of series) {
    const own = rows.filter((row) => row.series_id === one.id);
    found.set(one.id, toSeries(device, one, own, good.get(one.id) ?? null));
  }
  return found;
}

function toSeries(
  { mapping }: Pick<DeviceRow, 'mapping'>,
  { metric, limits }: WantedSeries,
  rows: readonly RawRow[],
  good: Rollup | null,
): RollupSeries {
  const kind = metricInfo(metric)?.kind;
  const isAmount = kind === 'counter' || kind === 'delta';
  const steps = { isCounter: kind === 'counter', wrapAt: wrapOf(mapping, metric) };
  const canBe = (value: number) => (limits ? isWithin(limits, value) : !Number.isNaN(value));
  const series: RollupSeries = { before: good, rows: [], after: null };
  let last = good?.lastValue ?? null;
  for (const { at, value, place } of rows) {
    const isValid = value !== null && canBe(value);
    if (!isValid && (isAmount || place !== 'in')) continue;
    const step = isValid ? stepBetween(last, value, steps) : undefined;
    const reading = ofOne(at.getTime(), isValid ? value : Number.NaN, step);
    if (place === 'in') series.rows.push(reading);
    else series[place] = reading;
    if (isValid) last = value;
  }
  return series;
}

/** Readings, hours or days of a device's series: all look alike. */
export function readSpans(
  db: Db,
  span: Span | 'reading',
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly WantedSeries[],
  range: Range,
): Promise<ReadonlyMap<number, RollupSeries>> {
  if (span === 'reading') return readRaw(db, device, series, range);
  return readRollups(db, { span, farmId: device.farm_id, range }, series);
}
