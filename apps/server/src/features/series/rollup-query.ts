import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { RollupTable } from '../../db/schema/readings.ts';
import { packed, type PackedRollups, rollupsOf } from './packed-rollups.ts';

export type Span = 'hour' | 'day';

/** Times in [from, to), epoch ms. */
export interface Range {
  from: number;
  to: number;
}

/** Hours or days of a farm that start in a range. */
export interface RollupQuery {
  span: Span;
  farmId: number;
  range: Range;
}

/** One hour or day of a series, on the farm's clock; `at` names it by its start. Times in epoch ms. */
export interface Rollup {
  at: number;
  n: number;
  min: number;
  max: number;
  sum: number;
  falls: number;
  rises: number;
  firstAt: number;
  firstValue: number;
  lastAt: number;
  lastValue: number;
  /** See RollupTable; null also where it was stored before these were kept. */
  area: number | null;
  coveredMin: number | null;
  fastest: number | null;
}

export interface RollupSeries {
  /** The newest one before the range: what the first step in the range came from. */
  before: Rollup | null;
  rows: Rollup[];
  /** The first one after the range: where the last step leads. */
  after: Rollup | null;
  /** What is next to these two, oldest first: whether a total that falls at an end of the range comes back is seen there. */
  beyond?: { earlier: Rollup[]; later: Rollup[] };
}

export const emptySeries: RollupSeries = { before: null, rows: [], after: null };

export type RollupRow = Omit<Selectable<RollupTable>, 'farm_id'>;

export const rollupTable = (span: Span) => sql.table(span === 'hour' ? 'reading_hour' : 'reading_day');

const columns =
  sql.raw(`series_id, at, n, min, max, sum, falls, rises, first_at, first_value, last_at, last_value,
  area, covered_min, fastest`);

/** What a statement on a time of a farm is given. */
export interface Bounds {
  farmId: number;
  from: Date;
  to: Date;
}
export type Given<Args> = <Name extends keyof Args>(name: Name) => Args[Name];

/**
 * How many are read on either side of a range: hours as far as a total that comes back reaches (ALIVE_MS, twice, and what is beside it); of
 * days one before the one before, by which that one's way is known.
 */
const BESIDE = { hour: { earlier: 5, later: 3 }, day: { earlier: 2, later: 1 } } as const;

/**
 * Of the series that `wanted` has by `id`, the rows in the bounds and the next ones beyond. Series by series (lateral): PostgreSQL then
 * keeps one plan for all calls. With `= any(array(…))` it expects ten series, and so plans each call anew, which for a day's chart takes
 * longer than carrying it out.
 */
export const rowsOfWanted = (span: Span, given: Given<Bounds>) => sql`
  select within.* from wanted
  cross join lateral (
    select ${columns} from ${rollupTable(span)}
    where farm_id = ${given('farmId')} and series_id = wanted.id
      and at >= ${given('from')} and at < ${given('to')}
  ) as within
  union all
  select earlier.* from wanted
  cross join lateral (
    select ${columns} from ${rollupTable(span)}
    where farm_id = ${given('farmId')} and series_id = wanted.id and at < ${given('from')}
    order by at desc limit ${sql.lit(BESIDE[span].earlier)}
  ) as earlier
  union all
  select later.* from wanted
  cross join lateral (
    select ${columns} from ${rollupTable(span)}
    where farm_id = ${given('farmId')} and series_id = wanted.id and at >= ${given('to')}
    order by at limit ${sql.lit(BESIDE[span].later)}
  ) as later`;

const rowsOf = (span: Span) =>
  prepared<Bounds & { ids: readonly number[] }, PackedRollups>(
    `rollups-by-${span}`,
    (_db, given) => sql<PackedRollups>`
      with wanted as materialized (select unnest(${givenList(given('ids'), 'int')}) as id)
      ${packed(rowsOfWanted(span, given))}`,
  );
const storedRows = { hour: rowsOf('hour'), day: rowsOf('day') } as const;

/** As they were stored, with readings that can't be: oldest first, by series, in one query. A year of days is 365 rows. */
export async function storedRollups(
  db: Db,
  { span, farmId, range }: RollupQuery,
  seriesIds: readonly number[],
): Promise<Map<number, RollupSeries>> {
  if (seriesIds.length === 0) return new Map();
  const rows = await storedRows[span](db, {
    farmId,
    ids: seriesIds,
    from: new Date(range.from),
    to: new Date(range.to),
  });
  return bySeries(rows, range, seriesIds);
}

const hoursAt = prepared<{ farmId: number; ids: readonly number[]; starts: readonly Date[] }, PackedRollups>(
  'hours-at',
  (_db, given) =>
    packed(sql`
      select ${columns} from reading_hour
      where farm_id = ${given('farmId')} and series_id = any(${given('ids')}::int[])
        and at = any(${given('starts')}::timestamptz[])`),
);

/** Of these series the hours with these starts (epoch ms) alone. */
export async function storedHours(
  db: Db,
  farmId: number,
  seriesIds: readonly number[],
  starts: readonly number[],
): Promise<Map<number, RollupSeries>> {
  if (seriesIds.length === 0) return new Map();
  const rows = await hoursAt(db, { farmId, ids: seriesIds, starts: starts.map((at) => new Date(at)) });
  return bySeries(rows, { from: Math.min(...starts), to: Infinity }, seriesIds);
}

/** An entry for each of these series. */
export function bySeries(
  all: readonly PackedRollups[],
  range: Range,
  seriesIds: readonly number[],
): Map<number, RollupSeries> {
  const found = new Map<number, RollupSeries>(
    seriesIds.map((id) => [id, { before: null, rows: [], after: null }]),
  );
  for (const one of all)
    if (found.has(one.series_id)) found.set(one.series_id, seriesOf(rollupsOf(one), range));
  return found;
}

/** Rows, oldest first, apart from those on either side of a range. */
export function seriesOf(rows: readonly Rollup[], { from, to }: Range): RollupSeries {
  const earlier = rows.filter(({ at }) => at < from);
  const later = rows.filter(({ at }) => at >= to);
  return {
    before: earlier.pop() ?? null,
    rows: rows.filter(({ at }) => at >= from && at < to),
    after: later.shift() ?? null,
    beyond: { earlier, later },
  };
}

export function toRollup(row: RollupRow): Rollup {
  return {
    at: row.at.getTime(),
    n: row.n,
    min: row.min,
    max: row.max,
    sum: row.sum,
    falls: row.falls,
    rises: row.rises,
    firstAt: row.first_at.getTime(),
    firstValue: row.first_value,
    lastAt: row.last_at.getTime(),
    lastValue: row.last_value,
    area: row.area,
    coveredMin: row.covered_min,
    fastest: row.fastest,
  };
}
