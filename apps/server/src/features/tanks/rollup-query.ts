import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { RollupTable } from '../../db/schema.ts';

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
}

export interface RollupSeries {
  /** The newest one before the range: what the first step in the range came from. */
  before: Rollup | null;
  rows: Rollup[];
}

export const emptySeries: RollupSeries = { before: null, rows: [] };

export type RollupRow = Omit<Selectable<RollupTable>, 'farm_id'>;

export const rollupTable = (span: Span) => sql.table(span === 'hour' ? 'reading_hour' : 'reading_day');

/** As they were stored, with readings that can't be: oldest first, by series, in one query. A year of days is 365 rows. */
export async function storedRollups(
  db: Db,
  { span, farmId, range }: RollupQuery,
  seriesIds: readonly number[],
): Promise<Map<number, RollupSeries>> {
  const found = new Map<number, RollupSeries>(seriesIds.map((id) => [id, { before: null, rows: [] }]));
  if (seriesIds.length === 0) return found;
  const table = rollupTable(span);
  const ids = sql`${[...seriesIds]}::int[]`;
  const from = new Date(range.from);
  const { rows } = await sql<RollupRow>`
    select * from ${table}
    where farm_id = ${farmId} and series_id = any(${ids}) and at >= ${from} and at < ${new Date(range.to)}
    union all
    select earlier.* from unnest(${ids}) as wanted(id)
    cross join lateral (
      select * from ${table}
      where farm_id = ${farmId} and series_id = wanted.id and at < ${from}
      order by at desc limit 1
    ) as earlier
    order by series_id, at`.execute(db);
  for (const row of rows) {
    const series = found.get(row.series_id);
    if (!series) continue;
    const rollup = toRollup(row);
    if (rollup.at < range.from) series.before = rollup;
    else series.rows.push(rollup);
  }
  return found;
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
  };
}
