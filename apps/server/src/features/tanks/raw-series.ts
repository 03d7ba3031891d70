import { sql } from 'kysely';
import { isWithin } from '@headrace/contract/rules/within';
import { wrapOf } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { stepBetween } from '../readings/fold-rollups.ts';
import { lastGood, ofOne } from './good-readings.ts';
import { readRollups } from './read-rollups.ts';
import type { Range, Rollup, RollupSeries, Span } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';

interface RawRow {
  series_id: number;
  at: Date;
  value: number | null;
  is_before: boolean;
}

/**
 * Readings in [from, to) (epoch ms) as rollups of one reading each, oldest first, by series, in one query: what is reckoned
 * from hours and days is reckoned from readings in the same way, and adds up to the same. A reading that the device called
 * invalid, or that can't be, is NaN, which no rule takes for a value; of counters and increments it is left out, as from the
 * rollups. Where the newest before the range can't be, a second query finds the one that can.
 */
export async function readRaw(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly WantedSeries[],
  range: Range,
): Promise<Map<number, RollupSeries>> {
  const found = new Map<number, RollupSeries>();
  if (series.length === 0) return found;
  const ids = sql`${series.map(({ id }) => id)}::int[]`;
  const from = new Date(range.from);
  const { rows } = await sql<RawRow>`
    select series_id, at, value, false as is_before from reading
    where farm_id = ${device.farm_id} and series_id = any(${ids}) and at >= ${from} and at < ${new Date(range.to)}
    union all
    select wanted.id, earlier.at, earlier.value, true from unnest(${ids}) as wanted(id)
    cross join lateral (
      select at, value from reading
      where farm_id = ${device.farm_id} and series_id = wanted.id and at < ${from} and value is not null
      order by at desc limit 1
    ) as earlier
    order by series_id, at`.execute(db);
  const good = await lastGood(
    db,
    device.farm_id,
    series.flatMap(({ id, limits }) => {
      const before = rows.find((row) => row.is_before && row.series_id === id);
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
  const isAmount = kind === 'counter' || kind === 'increment';
  const steps = { isCounter: kind === 'counter', wrapAt: wrapOf(mapping, metric) };
  const canBe = (value: number) => (limits ? isWithin(limits, value) : !Number.isNaN(value));
  const series: RollupSeries = { before: good, rows: [] };
  let last = good?.lastValue ?? null;
  for (const { at, value, is_before: isBefore } of rows) {
    const isValid = value !== null && canBe(value);
    if (!isValid && (isAmount || isBefore)) continue;
    const step = isValid ? stepBetween(last, value, steps) : undefined;
    const reading = ofOne(at.getTime(), isValid ? value : Number.NaN, step);
    if (isBefore) series.before = reading;
    else series.rows.push(reading);
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
