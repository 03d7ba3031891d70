import type { PoolClient } from 'pg';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { wrapOf } from '@headrace/device/field-mapping';
import { addedMetrics, networkMetrics } from '@headrace/device/metrics';
import type { Reading } from '@headrace/device/readings';
import type { KnownDevice } from './device-directory.ts';
import { kindOf, type SeriesReading } from './fold-rollups.ts';
import { findLateBuckets, type LateBuckets, rebuildBuckets } from './rebuild-rollups.ts';
import type { DeviceReading } from './series-directory.ts';
import { numberArray } from '../../db/sql-arrays.ts';

/** What one uplink says now of a time of which readings are stored already. */
export interface Correction {
  readonly device: KnownDevice;
  /** Epoch ms. */
  readonly at: number;
  readonly uplinkId: string;
  readonly readings: readonly Reading[];
  /** All of it could be read: what it doesn't say any more was never so. */
  readonly isWhole: boolean;
}

export const timeKey = ({ device, at }: Pick<Correction, 'device' | 'at'>) => `${device.id} ${at}`;

/** Of two values of one metric the first counts. */
export function readingsOf({ device, at, readings }: Correction): DeviceReading[] {
  const byMetric = new Map<string, DeviceReading>();
  for (const { metric, value } of readings)
    if (!byMetric.has(metric)) byMetric.set(metric, { device, metric, at, value });
  return [...byMetric.values()];
}

type Assign = (readings: readonly DeviceReading[]) => Promise<SeriesReading[]>;

/** What no payload says: it stays whatever a codec makes of the message. */
const notOfPayloads = new Set<string>([...networkMetrics, ...addedMetrics].map(({ name }) => name));

/**
 * Puts the values of these uplinks in place of those that are stored at their times, with all that is derived from them: hours and
 * days, the latest value, counted days of tanks. In the caller's transaction. Returns the times (see timeKey) at which something changed.
 */
export async function correctReadings(
  client: PoolClient,
  corrections: readonly Correction[],
  assign: Assign,
): Promise<Set<string>> {
  if (corrections.length === 0) return new Set();
  const series = await lockSeries(client, corrections);
  const repeated = await repeatedOnes(client, corrections);
  const first = corrections.filter(({ uplinkId }) => !repeated.has(uplinkId));
  const others = corrections.filter(({ uplinkId }) => repeated.has(uplinkId));
  const touched = [
    ...(await removeUnsaid(client, first, series)),
    ...(await put(client, await assign(first.flatMap(readingsOf)), REPLACE)),
    ...(await put(client, await assign(others.flatMap(readingsOf)), 'on conflict do nothing')),
  ].toSorted((a, b) => a.series.id - b.series.id || a.at - b.at);
  if (touched.length === 0) return new Set();
  const buckets = await findLateBuckets(client, touched);
  // Hours first: days are rebuilt from them.
  for (const span of ['hour', 'day'] as const) {
    await clearBuckets(client, span, buckets[span]);
    await rebuildBuckets(client, span, buckets[span]);
  }
  await renewLatest(client, touched);
  await forgetLevelDays(client, touched);
  const deviceOf = new Map(series.map(({ deviceId, series: { id } }) => [id, deviceId]));
  return new Set(touched.map(({ series: { id }, at }) => `${deviceOf.get(id)} ${at}`));
}

interface OwnSeries {
  readonly deviceId: number;
  readonly metric: string;
  readonly series: SeriesReading['series'];
}

const lockText = `select s.id, s.device_id as "deviceId", s.metric from series s
  join latest l on l.farm_id = s.farm_id and l.series_id = s.id
  where s.farm_id = $1 and s.device_id = any($2) order by s.farm_id, s.id for update of l`;

/** All series of these sensors: until the commit nobody else adds to them, as reading-writer has it. */
async function lockSeries(client: PoolClient, corrections: readonly Correction[]): Promise<OwnSeries[]> {
  const devices = new Map(corrections.map(({ device }) => [device.id, device]));
  const found: OwnSeries[] = [];
  for (const farmId of new Set([...devices.values()].map((device) => device.farmId))) {
    const ids = [...devices.values()].filter((device) => device.farmId === farmId).map(({ id }) => id);
    const { rows } = await client.query<{ id: number; deviceId: number; metric: string }>(lockText, [
      farmId,
      ids,
    ]);
    for (const { id, deviceId, metric } of rows) {
      const device = devices.get(deviceId);
      if (device) found.push({ deviceId, metric, series: seriesOf(device, id, metric) });
    }
  }
  return found;
}

function seriesOf(device: KnownDevice, id: number, metric: string): OwnSeries['series'] {
  const { farmId, zone, mapping } = device;
  return { farmId, id, ...kindOf(metric), wrapAt: wrapOf(mapping, metric), zone };
}

const repeatedText = `select k.uplink_id as id from unnest($1::int[], $2::int[], $3::float8[], $4::bigint[])
    as k (farm_id, device_id, ms, uplink_id)
  where exists (select from uplink u where u.farm_id = k.farm_id and u.device_id = k.device_id
    and u.at = to_timestamp(k.ms / 1000) and u.id < k.uplink_id)`;

/** Uplinks of a time of which there was one already: its values count. */
async function repeatedOnes(
  client: PoolClient,
  corrections: readonly Correction[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(repeatedText, [
    numberArray(corrections.map(({ device }) => device.farmId)),
    numberArray(corrections.map(({ device }) => device.id)),
    numberArray(corrections.map(({ at }) => at)),
    corrections.map(({ uplinkId }) => uplinkId),
  ]);
  return new Set(rows.map(({ id }) => id));
}

const removeText = `delete from reading r using unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, series_id, ms)
  where r.farm_id = k.farm_id and r.series_id = k.series_id and r.at = to_timestamp(k.ms / 1000)
  returning r.series_id, date_part('epoch', r.at) * 1000`;

/** What was stored of an uplink and it doesn't say any more. */
async function removeUnsaid(
  client: PoolClient,
  corrections: readonly Correction[],
  series: readonly OwnSeries[],
): Promise<SeriesReading[]> {
  const whole = corrections.filter(({ isWhole }) => isWhole);
  const unsaid = whole.flatMap((correction) => {
    const said = new Set(correction.readings.map(({ metric }): string => metric));
    return series
      .filter(
        ({ deviceId, metric }) =>
          deviceId === correction.device.id && !notOfPayloads.has(metric) && !said.has(metric),
      )
      .map((one) => ({ series: one.series, at: correction.at, value: null }));
  });
  return changedOf(client, removeText, unsaid);
}

const REPLACE =
  'on conflict (farm_id, series_id, at) do update set value = excluded.value where r.value is distinct from excluded.value';

function put(
  client: PoolClient,
  rows: readonly SeriesReading[],
  onConflict: string,
): Promise<SeriesReading[]> {
  const text = `insert into reading as r (farm_id, series_id, at, value)
    select farm_id, series_id, to_timestamp(ms / 1000), value
    from unnest($1::int[], $2::int[], $3::float8[], $4::float8[]) as k (farm_id, series_id, ms, value)
    ${onConflict} returning r.series_id, date_part('epoch', r.at) * 1000`;
  return changedOf(client, text, rows, [numberArray(rows.map((row) => row.value))]);
}

/** Those of the rows that the statement says it changed. */
async function changedOf(
  client: PoolClient,
  text: string,
  rows: readonly SeriesReading[],
  values: readonly string[] = [],
): Promise<SeriesReading[]> {
  if (rows.length === 0) return [];
  const result = await client.query<[number, number]>({
    text,
    rowMode: 'array',
    values: [
      numberArray(rows.map((row) => row.series.farmId)),
      numberArray(rows.map((row) => row.series.id)),
      numberArray(rows.map((row) => row.at)),
      ...values,
    ],
  });
  const changed = new Set(result.rows.map(([id, at]) => `${id} ${Math.round(at)}`));
  return rows.filter((row) => changed.has(`${row.series.id} ${row.at}`));
}

/** One of which nothing is left isn't made again. By first readings too: a bucket of an old clock has another name. */
async function clearBuckets(
  client: PoolClient,
  span: 'hour' | 'day',
  buckets: LateBuckets[typeof span],
): Promise<void> {
  const all = [...buckets.values()];
  await client.query(
    `delete from reading_${span} b using unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::float8[])
      as k (farm_id, series_id, start_ms, from_ms, to_ms)
    where b.farm_id = k.farm_id and b.series_id = k.series_id and b.at >= to_timestamp(k.start_ms / 1000) - interval '2 hours'
      and b.at < to_timestamp(k.to_ms / 1000) and (b.at = to_timestamp(k.start_ms / 1000)
        or b.first_at >= to_timestamp(k.from_ms / 1000) and b.first_at < to_timestamp(k.to_ms / 1000))`,
    [
      numberArray(all.map(({ series }) => series.farmId)),
      numberArray(all.map(({ series }) => series.id)),
      numberArray(all.map(({ start }) => start)),
      numberArray(all.map(({ from }) => from)),
      numberArray(all.map(({ to }) => to)),
    ],
  );
}

/** What is shown stays the reading that was shown, while it is there and none of those that changed is newer. */
const latestText = `update latest l
  set at = coalesce(shown.at, newest.at), value = case when shown.at is null then newest.value else shown.value end,
    heard_at = case when shown.at is not null then l.heard_at end, valid_at = valid.at, valid_value = valid.value
  from unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, series_id, newest_ms)
  join latest b on b.farm_id = k.farm_id and b.series_id = k.series_id
  left join reading shown on shown.farm_id = b.farm_id and shown.series_id = b.series_id and shown.at = b.at
    and b.at >= to_timestamp(k.newest_ms / 1000)
  left join lateral (
    select at, value from reading where farm_id = k.farm_id and series_id = k.series_id order by at desc limit 1
  ) newest on true
  left join lateral (
    select at, value from reading
    where farm_id = k.farm_id and series_id = k.series_id and value is not null order by at desc limit 1
  ) valid on true
  where l.farm_id = k.farm_id and l.series_id = k.series_id`;

async function renewLatest(client: PoolClient, touched: readonly SeriesReading[]): Promise<void> {
  const newest = new Map(touched.map((row) => [row.series.id, row]));
  const rows = [...newest.values()];
  await client.query(latestText, [
    numberArray(rows.map(({ series }) => series.farmId)),
    numberArray(rows.map(({ series }) => series.id)),
    numberArray(rows.map(({ at }) => at)),
  ]);
}

const levelDaysText = `delete from level_day d using unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, series_id, ms)
  where d.farm_id = k.farm_id and d.series_id = k.series_id and d.at >= to_timestamp(k.ms / 1000)`;

/** What tanks used from the day before on is counted anew, see count-level-days: what is known of the noise goes on from day to day. */
async function forgetLevelDays(client: PoolClient, touched: readonly SeriesReading[]): Promise<void> {
  const first = new Map<number, SeriesReading>();
  for (const row of touched) if (!first.has(row.series.id)) first.set(row.series.id, row);
  const rows = [...first.values()];
  await client.query(levelDaysText, [
    numberArray(rows.map(({ series }) => series.farmId)),
    numberArray(rows.map(({ series }) => series.id)),
    numberArray(rows.map(({ series, at }) => addDays(series.zone, dayStart(series.zone, at), -1))),
  ]);
}
