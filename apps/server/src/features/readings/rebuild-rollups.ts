import type { PoolClient } from 'pg';
import { bucketRange, type BucketRange, type Span } from './buckets.ts';
import type { Series, SeriesReading } from './fold-rollups.ts';
import { booleanArray, numberArray } from './sql-arrays.ts';

interface LateBucket extends BucketRange {
  series: Series;
}

/** Buckets written anew, as `series start`. */
export type RebuiltBuckets = Record<Span, ReadonlySet<string>>;

/**
 * A late reading changes its own bucket, and the fall or rise of the reading after it: both buckets are computed anew from
 * what is stored, all hours in one statement and all days in another.
 */
export async function rebuildLateBuckets(
  client: PoolClient,
  late: readonly SeriesReading[],
): Promise<RebuiltBuckets> {
  if (late.length === 0) return { hour: new Set(), day: new Set() };
  const touched = [...late, ...(await successorsOf(client, late))];
  const rebuilt = { hour: bucketsOf('hour', touched), day: bucketsOf('day', touched) };
  for (const span of ['hour', 'day'] as const) await rebuild(client, span, [...rebuilt[span].values()]);
  return { hour: new Set(rebuilt.hour.keys()), day: new Set(rebuilt.day.keys()) };
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

/** The same sums as in fold-rollups, over all that is stored: falls and rises count from the valid reading before the bucket on. */
const rebuildText = (span: Span) => `with bucket as materialized (
    select farm_id, series_id, to_timestamp(start_ms / 1000) as start, to_timestamp(from_ms / 1000) as first_moment,
      to_timestamp(to_ms / 1000) as end_moment, is_counter,
      (select r.value from reading r
        where r.farm_id = b.farm_id and r.series_id = b.series_id and r.at < to_timestamp(b.from_ms / 1000)
          and r.value is not null
        order by r.at desc limit 1) as value_before
    from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::float8[], $6::boolean[])
      as b (farm_id, series_id, start_ms, from_ms, to_ms, is_counter)
  ), point as (
    select b.farm_id, b.series_id, b.start, b.is_counter, r.at, r.value,
      lag(r.value, 1, b.value_before) over (partition by b.series_id, b.start order by r.at) as previous
    from bucket b
    cross join lateral (
      select at, value from reading
      where farm_id = b.farm_id and series_id = b.series_id and at >= b.first_moment and at < b.end_moment
        and value is not null
    ) r
  )
  insert into reading_${span} as t
    (farm_id, series_id, at, n, min, max, sum, falls, rises, first_at, first_value, last_at, last_value)
  select farm_id, series_id, start, count(*), min(value), max(value), sum(value order by at),
    sum(case when is_counter or value >= previous then 0 else coalesce(previous - value, 0) end order by at),
    sum(case when value >= previous then value - previous when is_counter and value < previous / 2 then value else 0 end
      order by at),
    min(at), (array_agg(value order by at))[1], max(at), (array_agg(value order by at desc))[1]
  from point
  group by farm_id, series_id, start
  order by farm_id, series_id, start
  on conflict (farm_id, series_id, at) do update set
    n = excluded.n, min = excluded.min, max = excluded.max, sum = excluded.sum, falls = excluded.falls,
    rises = excluded.rises, first_at = excluded.first_at, first_value = excluded.first_value,
    last_at = excluded.last_at, last_value = excluded.last_value`;

async function rebuild(client: PoolClient, span: Span, buckets: readonly LateBucket[]): Promise<void> {
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
    ],
  });
}
