import { sql } from 'kysely';
import { wrapOf } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { stepBetween } from '../readings/fold-rollups.ts';
import { readRollups, type Rollup, type RollupSeries, type Span } from './rollup-query.ts';

/** A series of one device, as far as its readings have to be understood. */
export interface KnownSeries {
  id: number;
  metric: string;
}

interface RawRow {
  series_id: number;
  at: Date;
  value: number | null;
  is_before: boolean;
}

/**
 * Readings in [from, to) (epoch ms) as rollups of one reading each, oldest first, by series, in one query: what is reckoned
 * from hours and days is reckoned from readings in the same way, and adds up to the same. A reading that the device called
 * invalid is NaN, which no rule takes for a value; of counters and increments it is left out, as from the rollups.
 */
export async function readRaw(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly KnownSeries[],
  range: { from: number; to: number },
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
  for (const { id, metric } of series) {
    const own = rows.filter((row) => row.series_id === id);
    found.set(id, toSeries(device, metric, own));
  }
  return found;
}

function toSeries(device: Pick<DeviceRow, 'mapping'>, metric: string, rows: readonly RawRow[]): RollupSeries {
  const kind = metricInfo(metric)?.kind;
  const isAmount = kind === 'counter' || kind === 'increment';
  const steps = { isCounter: kind === 'counter', wrapAt: wrapOf(device.mapping, metric) };
  const series: RollupSeries = { before: null, rows: [] };
  let last: number | null = null;
  for (const { at, value, is_before: isBefore } of rows) {
    const isValid = value !== null && !Number.isNaN(value);
    if (!isValid && isAmount) continue;
    const step = isValid ? stepBetween(last, value, steps) : { fall: 0, rise: 0 };
    const reading = ofOne(at.getTime(), value ?? Number.NaN, step);
    if (isBefore) series.before = reading;
    else series.rows.push(reading);
    if (isValid) last = value;
  }
  return series;
}

function ofOne(at: number, value: number, { fall, rise }: { fall: number; rise: number }): Rollup {
  return {
    at,
    n: 1,
    min: value,
    max: value,
    sum: value,
    falls: fall,
    rises: rise,
    firstAt: at,
    firstValue: value,
    lastAt: at,
    lastValue: value,
  };
}

/** Readings, hours or days of a device's series: all look alike. */
export function readSpans(
  db: Db,
  span: Span | 'reading',
  device: Pick<DeviceRow, 'farm_id' | 'mapping'>,
  series: readonly KnownSeries[],
  range: { from: number; to: number },
): Promise<Map<number, RollupSeries>> {
  if (span === 'reading') return readRaw(db, device, series, range);
  return readRollups(
    db,
    span,
    device.farm_id,
    series.map(({ id }) => id),
    range,
  );
}
