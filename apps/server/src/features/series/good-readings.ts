import { sql } from 'kysely';
import type { Limits } from '@headrace/contract/rules/within';
import type { Db } from '../../db/client.ts';
import { spokenMinutesSql } from './spoken-sql.ts';
import { type Rollup, type RollupQuery, type RollupRow, rollupTable, toRollup } from './rollup-query.ts';

/** A time of a series (epoch ms), with what it can be. */
export interface Place {
  seriesId: number;
  at: number;
  limits: Limits;
}

const keyOf = (seriesId: number, at: number) => `${seriesId} ${at}`;

/**
 * Rollups of good readings alone, by series and start, from raw history between a row's first and last reading; n = 0 and NaN
 * where none is good. Raw history goes from its old end, so that a row whose first reading is there has them all; the others
 * are left out. `offset 0` has each row's readings looked up by the index, in its order.
 */
export async function reckonAgain(
  db: Db,
  { span, farmId }: Pick<RollupQuery, 'span' | 'farmId'>,
  places: readonly Place[],
): Promise<(seriesId: number, at: number) => Rollup | undefined> {
  if (places.length === 0) return () => undefined;
  const valueAt = (at: 'first_at' | 'last_at') => sql`coalesce(
    (select value from reading where farm_id = ${farmId} and series_id = wanted.series_id and at = good.${sql.ref(at)}), 'NaN')`;
  const { rows } = await sql<RollupRow>`
    select wanted.series_id, wanted.at, good.n::int, coalesce(good.min, 'NaN') as min, coalesce(good.max, 'NaN') as max,
      coalesce(good.sum, 'NaN') as sum, coalesce(good.falls, 0) as falls, coalesce(good.rises, 0) as rises,
      coalesce(good.first_at, wanted.first_at) as first_at, ${valueAt('first_at')} as first_value,
      coalesce(good.last_at, wanted.last_at) as last_at, ${valueAt('last_at')} as last_value,
      coalesce(good.area, 0) as area, coalesce(good.covered_min, 0) as covered_min, null::float8 as fastest
    from (
      select place.*, row.first_at, row.last_at
      from ${given(places)}
      join ${rollupTable(span)} row
        on row.farm_id = ${farmId} and row.series_id = place.series_id and row.at = place.at
      where exists (
        select from reading
        where farm_id = ${farmId} and series_id = place.series_id and at = row.first_at and value is not null
      )
      offset 0
    ) wanted
    cross join lateral (
      select count(*) as n, min(value) as min, max(value) as max, sum(value) as sum, min(at) as first_at, max(at) as last_at,
        sum(greatest(previous - value, 0)) as falls, sum(greatest(value - previous, 0)) as rises,
        sum((previous + value) / 2 * spoken) as area, sum(spoken) as covered_min
      from (
        select at, value, lag(value) over (order by at) as previous,
          ${sql.raw(spokenMinutesSql('lag(at) over (order by at)', 'at'))} as spoken
        from reading
        where farm_id = ${farmId} and series_id = wanted.series_id and at between wanted.first_at and wanted.last_at
          and value between wanted.least and wanted.most
        offset 0
      ) step
    ) good`.execute(db);
  const found = new Map(rows.map((row) => [keyOf(row.series_id, row.at.getTime()), toRollup(row)]));
  return (seriesId, at) => found.get(keyOf(seriesId, at));
}

/** Days that may hold the newest good reading, by their least and most: a sensor that is broken for a year is not read through. */
const DAYS_TO_SEARCH = 3;

/** By series, the newest good reading up to a time, as a row of its own. */
export async function lastGood(
  db: Db,
  farmId: number,
  places: readonly Place[],
): Promise<Map<number, Rollup>> {
  if (places.length === 0) return new Map();
  const { rows } = await sql<{ series_id: number; at: Date; value: number }>`
    select place.series_id, good.at, good.value
    from ${given(places)}
    cross join lateral (
      select reading.at, reading.value
      from (
        select first_at, last_at from reading_day
        where farm_id = ${farmId} and series_id = place.series_id and first_at <= place.at and at <= place.at
          and min <= place.most and max >= place.least
        order by at desc limit ${DAYS_TO_SEARCH}
      ) day
      cross join lateral (
        select at, value from reading
        where farm_id = ${farmId} and series_id = place.series_id and at >= day.first_at
          and at <= least(day.last_at, place.at) and value between place.least and place.most
        order by at desc limit 1
      ) reading
      order by reading.at desc limit 1
    ) good`.execute(db);
  return new Map(rows.map(({ series_id, at, value }) => [series_id, ofOne(at.getTime(), value)]));
}

const given = (places: readonly Place[]) => sql`unnest(
    ${places.map(({ seriesId }) => seriesId)}::int[], ${places.map(({ at }) => new Date(at))}::timestamptz[],
    ${places.map(({ limits }) => limits.min)}::float8[], ${places.map(({ limits }) => limits.max)}::float8[]
  ) as place(series_id, at, least, most)`;

/** A single reading as an hour or day; NaN for one that can't be. */
export const ofOne = (at: number, value: number, { fall, rise } = { fall: 0, rise: 0 }): Rollup => ({
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
  area: 0,
  coveredMin: 0,
  fastest: null,
});
