import type { PoolClient } from 'pg';
import { bucketRange, type BucketRange, type Span } from '../series/buckets.ts';
import { counterDeltaSql } from './counter-sql.ts';
import type { Series, SeriesReading } from './fold-rollups.ts';
import { spokenMinutesSql } from '../series/spoken-sql.ts';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';

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
      to_timestamp(from_ms / 1000) as first_moment, to_timestamp(to_ms / 1000) as end_moment, is_counter, wrap_at,
      is_delta, is_rate
    from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::float8[], $6::boolean[], $7::float8[], $8::boolean[],
        $9::boolean[])
      as k (farm_id, series_id, start_ms, from_ms, to_ms, is_counter, wrap_at, is_delta, is_rate)`;

/**
 * The same sums as in fold-rollups, over all that is stored: falls and rises count from the valid reading before the bucket on.
 * `offset 0` keeps PostgreSQL from joining every reading of a series with every bucket: hundreds of times slower for a month.
 */
const hourRows = `with bucket as materialized (
    select b.*, before.at as at_before, before.value as value_before
    from (${bucketsGiven}) b
    left join lateral (
      select r.at, r.value from reading r
      where r.farm_id = b.farm_id and r.series_id = b.series_id and r.at < b.first_moment and r.value is not null
      order by r.at desc limit 1
    ) before on true
  ), point as (
    select b.farm_id, b.series_id, b.start, b.is_counter, b.wrap_at, b.is_delta, b.is_rate, r.at, r.value,
      lag(r.value, 1, b.value_before) over own as previous, lag(r.at, 1, b.at_before) over own as previous_at,
      lag(r.at) over own as at_inside
    from bucket b
    cross join lateral (
      select at, value from reading
      where farm_id = b.farm_id and series_id = b.series_id and at >= b.first_moment and at < b.end_moment
        and value is not null
      offset 0
    ) r
    window own as (partition by b.series_id, b.start order by r.at)
  ), step as (
    select *,
      case when previous is null then 0 when is_counter then ${counterDeltaSql} else greatest(value - previous, 0) end as rise,
      case when is_rate then coalesce(${spokenMinutesSql('at_inside', 'at')}, 0) end as spoken
    from point
  )
  select farm_id, series_id, start, count(*), min(value), max(value), sum(value order by at),
    sum(case when is_counter or value >= previous then 0 else coalesce(previous - value, 0) end order by at),
    sum(rise order by at),
    min(at), (array_agg(value order by at))[1], max(at), (array_agg(value order by at desc))[1],
    sum(case when spoken = 0 then 0 else (previous + value) / 2 * spoken end order by at), sum(spoken order by at),
    max(case when previous is not null and (is_counter or is_delta) then
      greatest(0, case when is_counter then rise else value end) / greatest(date_part('epoch', at - previous_at) / 60, 1) end)
  from step
  group by farm_id, series_id, start`;

/**
 * A day is its hours: 24 rows to add up however often a sensor reports. A clock change names some hours up to an hour early. What
 * a rate amounts to from one hour to the next is in neither of them.
 */
const dayRows = `with hour as (
    select b.farm_id, b.series_id, b.start, h.n, h.min, h.max, h.sum, h.falls, h.rises, h.first_at, h.first_value, h.last_at,
      h.last_value, h.area, h.covered_min, h.fastest,
      coalesce(${spokenMinutesSql('lag(h.last_at) over own', 'h.first_at')}, 0) as spoken,
      coalesce((lag(h.last_value) over own + h.first_value) / 2, 0) as between
    from (${bucketsGiven}) b
    cross join lateral (
      select * from reading_hour
      where farm_id = b.farm_id and series_id = b.series_id and at >= b.first_moment - interval '2 hours'
        and at < b.end_moment and first_at >= b.first_moment and first_at < b.end_moment
      offset 0
    ) h
    window own as (partition by b.series_id, b.start order by h.first_at)
  )
  select farm_id, series_id, start, sum(n), min(min), max(max), sum(sum), sum(falls), sum(rises),
    min(first_at), (array_agg(first_value order by first_at))[1],
    max(last_at), (array_agg(last_value order by first_at desc))[1],
    case when bool_and(area is not null) then sum(area + spoken * between order by first_at) end,
    case when bool_and(area is not null) then sum(covered_min + spoken order by first_at) end,
    max(fastest)
  from hour
  group by farm_id, series_id, start`;

const rebuildText = (span: Span) => `insert into reading_${span} as t
    (farm_id, series_id, at, n, min, max, sum, falls, rises, first_at, first_value, last_at, last_value, area, covered_min,
    fastest)
  ${span === 'hour' ? hourRows : dayRows}
  order by 1, 2, 3
  on conflict (farm_id, series_id, at) do update set
    n = excluded.n, min = excluded.min, max = excluded.max, sum = excluded.sum, falls = excluded.falls,
    rises = excluded.rises, first_at = excluded.first_at, first_value = excluded.first_value,
    last_at = excluded.last_at, last_value = excluded.last_value, area = excluded.area,
    covered_min = excluded.covered_min, fastest = excluded.fastest`;

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
      booleanArray(buckets.map(({ series }) => series.isDelta ?? false)),
      booleanArray(buckets.map(({ series }) => series.isRate ?? false)),
    ],
  });
}
