import type { PoolClient } from 'pg';
import type { Span } from '../series/buckets.ts';
import {
  type BucketGain,
  foldReadings,
  type Fold,
  type LatestState,
  type SeriesReading,
} from './fold-rollups.ts';
import { findLateBuckets, rebuildBuckets } from './rebuild-rollups.ts';
import { numberArray } from '../../db/sql-arrays.ts';

/**
 * The one place where readings become rows. Everything happens in the caller's transaction; what was stored before isn't
 * stored or counted again. (A distributed database may want COPY here: this module is where that choice would be made.)
 */
export interface WrittenReadings {
  inserted: number;
  /** The same by farm. */
  byFarm: Map<number, number>;
  late: number;
  /** Series whose newest reading is another one now; epoch ms. */
  advanced: { seriesId: number; at: number }[];
}

/** Series that were looked up before have been deleted since: look them up again. */
export class SeriesGoneError extends Error {}

export async function writeReadings(
  client: PoolClient,
  readings: readonly SeriesReading[],
): Promise<WrittenReadings> {
  const rows = sortAndDropRepeats(readings);
  if (rows.length === 0) return { inserted: 0, byFarm: new Map(), late: 0, advanced: [] };
  const before = await lockLatest(client, rows);
  const inserted = await insertReadings(client, rows);
  const fold = foldReadings(inserted, before);
  await updateLatest(client, fold.latest);
  const late = await findLateBuckets(client, fold.late);
  // Hours first: days are rebuilt from them.
  for (const span of ['hour', 'day'] as const) {
    const gains = fold[span].filter(({ series, start }) => !late[span].has(`${series.id} ${start}`));
    await addToBuckets(client, span, gains);
    await rebuildBuckets(client, span, late[span]);
  }
  return {
    inserted: inserted.length,
    byFarm: countByFarm(inserted),
    late: fold.late.length,
    advanced: advancedSeries(fold, before),
  };
}

function countByFarm(rows: readonly SeriesReading[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { series } of rows) counts.set(series.farmId, (counts.get(series.farmId) ?? 0) + 1);
  return counts;
}

/** By series and time, which is the order in which every writer takes its locks; of a repeated time the first stays. */
function sortAndDropRepeats(readings: readonly SeriesReading[]): SeriesReading[] {
  const sorted = readings.toSorted(
    (a, b) => a.series.farmId - b.series.farmId || a.series.id - b.series.id || a.at - b.at,
  );
  return sorted.filter((row, index) => {
    const previous = sorted[index - 1];
    return previous?.series.id !== row.series.id || previous.at !== row.at;
  });
}

type LatestRow = [number, number | null, number | null, number | null, number | null, number | null];

const lockText = `select l.series_id, date_part('epoch', l.at) * 1000, l.value,
    date_part('epoch', l.heard_at) * 1000, date_part('epoch', l.valid_at) * 1000, l.valid_value
  from unnest($1::int[], $2::int[]) as k (farm_id, series_id)
  join latest l on l.farm_id = k.farm_id and l.series_id = k.series_id
  order by l.farm_id, l.series_id
  for update of l`;

/** Until the commit nobody else adds to these series: what is read here stays true. */
async function lockLatest(
  client: PoolClient,
  rows: readonly SeriesReading[],
): Promise<Map<number, LatestState>> {
  const series = [...new Map(rows.map((row) => [row.series.id, row.series])).values()];
  const result = await client.query<LatestRow>({
    name: 'lock-latest',
    text: lockText,
    rowMode: 'array',
    values: [numberArray(series.map((one) => one.farmId)), numberArray(series.map((one) => one.id))],
  });
  if (result.rows.length < series.length) throw new SeriesGoneError('series were deleted meanwhile');
  return new Map(
    result.rows.map(([id, at, value, heardAt, validAt, validValue]) => [
      id,
      { at: inMs(at), value, heardAt: inMs(heardAt), validAt: inMs(validAt), validValue },
    ]),
  );
}

const inMs = (time: number | null) => (time === null ? null : Math.round(time));

const insertText = `insert into reading (farm_id, series_id, at, value)
  select farm_id, series_id, to_timestamp(ms / 1000), value
  from unnest($1::int[], $2::int[], $3::float8[], $4::float8[]) as r (farm_id, series_id, ms, value)
  on conflict do nothing
  returning series_id, date_part('epoch', at) * 1000`;

/** Those that weren't there yet, in the order given. */
async function insertReadings(
  client: PoolClient,
  rows: readonly SeriesReading[],
): Promise<readonly SeriesReading[]> {
  const result = await client.query<[number, number]>({
    name: 'insert-readings',
    text: insertText,
    rowMode: 'array',
    values: [
      numberArray(rows.map((row) => row.series.farmId)),
      numberArray(rows.map((row) => row.series.id)),
      numberArray(rows.map((row) => row.at)),
      numberArray(rows.map((row) => row.value)),
    ],
  });
  if (result.rows.length === rows.length) return rows;
  const stored = new Set(result.rows.map(([id, at]) => `${id} ${Math.round(at)}`));
  return rows.filter((row) => stored.has(`${row.series.id} ${row.at}`));
}

const updateLatestText = `update latest l
  set at = to_timestamp(n.ms / 1000), value = n.value, heard_at = to_timestamp(n.heard_ms / 1000),
    valid_at = to_timestamp(n.valid_ms / 1000), valid_value = n.valid_value
  from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::float8[], $6::float8[],
      $7::float8[])
    as n (farm_id, series_id, ms, value, heard_ms, valid_ms, valid_value)
  where l.farm_id = n.farm_id and l.series_id = n.series_id`;

async function updateLatest(client: PoolClient, changes: Fold['latest']): Promise<void> {
  if (changes.length === 0) return;
  await client.query({
    name: 'update-latest',
    text: updateLatestText,
    values: [
      numberArray(changes.map(({ series }) => series.farmId)),
      numberArray(changes.map(({ series }) => series.id)),
      numberArray(changes.map(({ state }) => state.at)),
      numberArray(changes.map(({ state }) => state.value)),
      numberArray(changes.map(({ state }) => state.heardAt)),
      numberArray(changes.map(({ state }) => state.validAt)),
      numberArray(changes.map(({ state }) => state.validValue)),
    ],
  });
}

/** Gains are always later than what a bucket holds, so the first stays and the last is replaced. */
const addText = (span: Span) => `insert into reading_${span} as b
    (farm_id, series_id, at, n, min, max, sum, falls, rises, first_at, first_value, last_at, last_value, area, covered_min,
    fastest)
  select farm_id, series_id, to_timestamp(ms / 1000), n, min, max, sum, falls, rises,
    to_timestamp(first_ms / 1000), first_value, to_timestamp(last_ms / 1000), last_value, area, covered_min, fastest
  from unnest($1::int[], $2::int[], $3::float8[], $4::int[], $5::float8[], $6::float8[], $7::float8[], $8::float8[],
    $9::float8[], $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::float8[], $15::float8[], $16::float8[])
    as g (farm_id, series_id, ms, n, min, max, sum, falls, rises, first_ms, first_value, last_ms, last_value, area, covered_min,
      fastest)
  on conflict (farm_id, series_id, at) do update set
    n = b.n + excluded.n, min = least(b.min, excluded.min), max = greatest(b.max, excluded.max),
    sum = b.sum + excluded.sum, falls = b.falls + excluded.falls, rises = b.rises + excluded.rises,
    last_at = excluded.last_at, last_value = excluded.last_value,
    area = b.area + excluded.area, covered_min = b.covered_min + excluded.covered_min,
    fastest = greatest(b.fastest, excluded.fastest)`;

async function addToBuckets(client: PoolClient, span: Span, gains: readonly BucketGain[]): Promise<void> {
  if (gains.length === 0) return;
  await client.query({
    name: `add-to-${span}`,
    text: addText(span),
    values: [
      numberArray(gains.map(({ series }) => series.farmId)),
      numberArray(gains.map(({ series }) => series.id)),
      numberArray(gains.map((gain) => gain.start)),
      numberArray(gains.map((gain) => gain.n)),
      numberArray(gains.map((gain) => gain.min)),
      numberArray(gains.map((gain) => gain.max)),
      numberArray(gains.map((gain) => gain.sum)),
      numberArray(gains.map((gain) => gain.falls)),
      numberArray(gains.map((gain) => gain.rises)),
      numberArray(gains.map((gain) => gain.firstAt)),
      numberArray(gains.map((gain) => gain.firstValue)),
      numberArray(gains.map((gain) => gain.lastAt)),
      numberArray(gains.map((gain) => gain.lastValue)),
      numberArray(gains.map((gain) => gain.area)),
      numberArray(gains.map((gain) => gain.coveredMin)),
      numberArray(gains.map((gain) => gain.fastest)),
    ],
  });
}

function advancedSeries(fold: Fold, before: ReadonlyMap<number, LatestState>): WrittenReadings['advanced'] {
  return fold.latest.flatMap(({ series, state }) =>
    state.at !== null && state.at !== before.get(series.id)?.at
      ? [{ seriesId: series.id, at: state.at }]
      : [],
  );
}
