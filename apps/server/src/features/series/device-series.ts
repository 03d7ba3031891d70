import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { prepared } from '../../db/prepared.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { type LatestValues, toLatest } from './latest-values.ts';
import { type RawRow, readingsBySeries, readingsOfWanted } from './raw-series.ts';
import {
  type Bounds,
  bySeries,
  emptySeries,
  type Given,
  type Range,
  type RollupSeries,
  rowsOfWanted,
  type Span,
} from './rollup-query.ts';
import { packed, type PackedRollups } from './packed-rollups.ts';
import { possibleRollups } from './read-rollups.ts';
import { isCounter, toWanted } from './series-limits.ts';

/** One device's newest values, and readings, hours or days of some of its metrics. */
export interface DeviceSeries {
  latest: LatestValues;
  series: (metric: string) => RollupSeries;
  /** Whether it has ever reported this metric. */
  has: (metric: string) => boolean;
}

interface Args extends Bounds {
  deviceId: number;
  metrics: readonly string[];
  /** Of these, running totals. */
  counters: readonly string[];
}

/** Rows about a series itself have `metric`, `newest`, `series_id` and `at`; their other columns are null. In all other rows `metric` is null. */
type SeriesRow<Row> = Row & { metric: string | null; newest: number | null; at: Date | null };

/** The device's series, and the rows that `found` selects of the wanted ones. `nulls` fills the columns that a series has not. */
const withSeries = <Row>(given: Given<Args>, found: ReturnType<typeof sql>, nulls: string) => sql<
  SeriesRow<Row>
>`
  with known as materialized (
    select series.id, series.metric, latest.at, latest.value
    from series left join latest on latest.farm_id = series.farm_id and latest.series_id = series.id
    where series.farm_id = ${given('farmId')} and series.device_id = ${given('deviceId')}
  ), wanted as (
    select id, metric = any(${given('counters')}::text[]) as counts from known where metric = any(${given('metrics')}::text[])
  )
  select null::text as metric, null::float8 as newest, found.* from (${found}) found
  union all
  select metric, value, id, at, ${sql.raw(nulls)} from known
  order by series_id, at`;

const rollupsOf = (span: Span) =>
  prepared<Args, SeriesRow<PackedRollups>>(`device-${span}s`, (_db, given) =>
    withSeries(given, packed(rowsOfWanted(span, given)), 'null'),
  );
const rollups = { hour: rollupsOf('hour'), day: rollupsOf('day') };

const readings = prepared<Args, SeriesRow<RawRow>>('device-readings', (_db, given) =>
  withSeries(given, readingsOfWanted(given), 'null, null'),
);

/** One statement; one or two more where the device reported impossible values. Times in [from, to), epoch ms. */
export async function readDevice(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'id' | 'settings' | 'mapping'>,
  metrics: readonly string[],
  span: Span | 'reading',
  range: Range,
): Promise<DeviceSeries> {
  const { farm_id: farmId } = device;
  const bounds = { farmId, from: new Date(range.from), to: new Date(range.to) };
  const args = { ...bounds, deviceId: device.id, metrics, counters: metrics.filter(isCounter) };
  if (span === 'reading') {
    const { known, found } = splitRows(await readings(db, args));
    const wanted = wantedOf(device, known, metrics);
    return toDeviceSeries(known, await readingsBySeries(db, device, wanted, found));
  }
  const { known, found } = splitRows(await rollups[span](db, args));
  const wanted = wantedOf(device, known, metrics);
  const ids = wanted.map(({ id }) => id);
  return toDeviceSeries(
    known,
    await possibleRollups(db, { span, farmId }, wanted, bySeries(found, range, ids)),
  );
}

interface KnownSeries {
  id: number;
  metric: string;
  /** null: nothing it says now counts. */
  at: Date | null;
  value: number | null;
}

function splitRows<Row extends { series_id: number }>(rows: readonly SeriesRow<Row>[]) {
  const known: KnownSeries[] = [];
  const found: Row[] = [];
  for (const row of rows) {
    if (row.metric === null) found.push(row);
    else known.push({ id: row.series_id, metric: row.metric, at: row.at, value: row.newest });
  }
  return { known, found };
}

const wantedOf = (
  device: Pick<DeviceRow, 'settings' | 'mapping'>,
  known: readonly KnownSeries[],
  metrics: readonly string[],
) =>
  known
    .filter(({ metric }) => metrics.includes(metric))
    .map(({ id, metric }) => toWanted(device, id, metric));

function toDeviceSeries(
  known: readonly KnownSeries[],
  found: ReadonlyMap<number, RollupSeries>,
): DeviceSeries {
  const byMetric = new Map(known.map((one) => [one.metric, one]));
  const heard = known.flatMap(({ at, ...one }) =>
    at ? [[one.metric, toLatest({ ...one, at })] as const] : [],
  );
  return {
    latest: new Map(heard),
    series: (metric) => found.get(byMetric.get(metric)?.id ?? 0) ?? emptySeries,
    has: (metric) => byMetric.has(metric),
  };
}
