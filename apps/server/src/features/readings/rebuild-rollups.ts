import type { PoolClient } from 'pg';
import { bucketRange, type BucketRange, type Span } from './buckets.ts';
import { counterDeltaSql } from './counter-sql.ts';
import type { Series, SeriesReading } from './fold-rollups.ts';
import { booleanArray, numberArray } from './sql-arrays.ts';

interface LateBucket extends BucketRange {
  series: Series;
}

/** By `series start`. */
export type LateBuckets = Record<Span, ReadonlyMap<string, LateBucket>>;

/**
 * A late reading changes its own bucket, and the fall or rise of the reading after it: both buckets have to be computed
 * anew from what is stored.
 */
export async function findLateBuckets(
  client: PoolClient,
  late: readonly SeriesReading[],
): Promise<LateBuckets> {
  if (late.length === 0) return { hour: new Map(), day: new Map() };
  const touched = [...late, ...(await successorsOf(client, late))];
  return { hour: bucketsOf('hour', touched), day: bucketsOf('day', touched) };
}

type Moment = Pick<SeriesReading, 'series' | 'at'>;

const successorsText = `select k.n::int, date_part('epoch', r.at) * 1000
  from unnest($1::int[], $2::int[], $3::float8[]) with ordinality as k (farm_id, series_id, ms, n)
  cross join lateral (
    select at from reading
    where farm_id = k.farm_id and series_id = k.series_id and at > to_timestamp(k.ms / 1000) and value is not null
    order by at limit 1
  ) r`;

async function successorsOf(client: PoolClient, late: readonly SeriesReading[]): Promise<Moment[]> {
  const result = await client.query<[number, number]>({
    name: 'late-successors',
    text: successorsText,
    rowMode: 'array',
    values: [
      numberArray(late.map(({ series }) => series.farmId)),
      numberArray(late.map(({ series }) => series.id)),
      numberArray(late.map(({ at }) => at)),
    ],
  });
  return result.rows.flatMap(([ordinal, at]) => {
    const reading = late[ordinal - 1];
    return reading ? [{ series: reading.series, at: Math.round(at) }] : [];
  });
}

function bucketsOf(span: Span, moments: readonly Moment[]): Map<string, LateBucket> {
  const buckets = new Map<string, LateBucket>();
  let last: LateBucket | undefined;
  for (const { series, at } of moments) {
    if (last && last.series.id === series.id && at >= last.from && at < last.to) continue;
    last = { series, ...bucketRange(series.zone, span, at) };
    buckets.set(`${series.id} ${last.start}`, last);
  }
  return buckets;
}

const bucketsGiven = `select farm_id, series_id, to_timestamp(start_ms / 1000) as start,
      to_timestamp(from_ms / 1000) as first_moment, to_timestamp(to_ms / 1000) as end_moment, is_counter, wrap_at
    from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::float8[], $6::boolean[], $7::float8[])
      as k (farm_id, series_id, start_ms, from_ms, to_ms, is_counter, wrap_at)`;

/**
 * The same sums as in fold-rollups, over all that is stored: falls and rises count from the valid reading before the bucket on.
 * `offset 0` keeps PostgreSQL from joining every reading of a series with every bucket: hundreds of times slower for a month.
 */
const hourRows = `with bucket as materialized (
    select b.*, (select r.value from reading r
        where r.farm_id = b.farm_id and r.series_id = b.series_id and r.at < b.first_moment and r.value is not null
        order by r.at desc limit 1) as value_before
    from (${bucketsGiven}) b
  ), point as (
    select b.farm_id, b.series_id, b.start, b.is_counter, b.wrap_at, r.at, r.value,
      lag(r.value, 1, b.value_before) over (partition by b.series_id, b.start order by r.at) as previous
    from bucket b
    cross join lateral (
      select at, value from reading
      where farm_id = b.farm_id and series_id = b.series_id and at >= b.first_moment and at < b.end_moment
        and value is not null
      offset 0
    ) r
  )
  select farm_id, series_id, start, count(*), min(value), max(value), sum(value order by at),
    sum(case when is_counter or value >= previous then 0 else coalesce(previous - value, 0) end order by at),
    sum(case when previous is null then 0 when is_counter then ${counterDeltaSql} else greatest(value - previous, 0) end
      order by at),
    min(at), (array_agg(value order by at))[1], max(at), (array_agg(value order by at desc))[1]
  from point
  group by farm_id, series_id, start`;

/** A day is its hours: 24 rows to add up however often a sensor reports. A clock change names some hours up to an hour early. */
const dayRows = `select b.farm_id, b.series_id, b.start, sum(h.n), min(h.min), max(h.max), sum(h.sum),
    sum(h.falls), sum(h.rises), min(h.first_at), (array_agg(h.first_value order by h.first_at))[1],
    max(h.last_at), (array_agg(h.last_value order by h.first_at desc))[1]
  from (${bucketsGiven}) b
  cross join lateral (
    select * from reading_hour
    where farm_id = b.farm_id and series_id = b.series_id and at >= b.first_moment - interval '2 hours'
      and at < b.end_moment and first_at >= b.first_moment and first_at < b.end_moment
    offset 0
  ) h
  group by b.farm_id, b.series_id, b.start`;

const rebuildText = (span: Span) => `insert into reading_${span} as t
    (farm_id, series_id, at, n, min, max, sum, falls, rises, first_at, first_value, last_at, last_value)
  ${span === 'hour' ? hourRows : dayRows}
  order by 1, 2, 3
  on conflict (farm_id, series_id, at) do update set
    n = excluded.n, min = excluded.min, max = excluded.max, sum = excluded.sum, falls = excluded.falls,
    rises = excluded.rises, first_at = excluded.first_at, first_value = excluded.first_value,
    last_at = excluded.last_at, last_value = excluded.last_value`;

/** All buckets in one statement: hours from the readings, days from the hours, which have to be right before. */
export async function rebuildBuckets(client: PoolClient, span: Span, late: LateBuckets[Span]): Promise<void> {
  if (late.size === 0) return;
  const buckets = [...late.values()];
  await client.query({
    name: `rebuild-${span}`,
    text: rebuildText(span),
    values: [
      numberArray(buckets.map(({ series }) => series.farmId)),
      numberArray(buckets.map(({ series }) => series.id)),
      numberArray(buckets.map((bucket) => bucket.start)),
      numberArray(buckets.map((bucket) => bucket.from)),
      numberArray(buckets.map((bucket) => bucket.to)),
      booleanArray(buckets.map(({ series }) => series.isCounter)),
      numberArray(buckets.map(({ series }) => series.wrapAt ?? null)),
    ],
  });
}
