import { sql } from 'kysely';
import { LEVEL_USE } from '@headrace/contract/limits';
import type { LevelMemory } from '@headrace/contract/rules/level-use';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { Levels } from './level-walk.ts';
import type { Range } from '../series/rollup-query.ts';
import type { WantedSeries } from '../series/series-limits.ts';

/** A day whose use has been counted; see LevelDayTable. */
export interface CountedDay {
  at: number;
  stored: number;
  n: number;
  fall: number;
  rise: number;
  /** At its end; null also of days so long ago that nothing is counted from them again. */
  memory: LevelMemory | null;
}

export interface CountedDays {
  /** The newest before the range. */
  before: CountedDay | null;
  days: CountedDay[];
}

interface DayRow extends Omit<CountedDay, 'at'> {
  series_id: number;
  at: Date;
}

interface CountedBounds {
  farmId: number;
  ids: readonly number[];
  from: Date;
  to: Date;
  memoryFrom: Date;
}

const countedDays = prepared<CountedBounds, DayRow>(
  'counted-days',
  (_db, given) => sql<DayRow>`
    with wanted as materialized (select unnest(${givenList(given('ids'), 'int')}) as id)
    select within.* from wanted
    cross join lateral (
      select series_id, at, stored, n, fall, rise,
        case when at >= ${given('memoryFrom')} then memory end as memory from level_day
      where farm_id = ${given('farmId')} and series_id = wanted.id
        and at >= ${given('from')} and at < ${given('to')}
    ) as within
    union all
    select earlier.* from wanted
    cross join lateral (
      select series_id, at, stored, n, fall, rise, memory from level_day
      where farm_id = ${given('farmId')} and series_id = wanted.id and at < ${given('from')}
      order by at desc limit 1
    ) as earlier
    order by series_id, at`,
);

/** Late readings are counted from the day before them on, and a day of the farm may have 25 hours. */
const REMEMBERED_MS = (LEVEL_USE.lateDays + 2) * 86_400_000;

/** Days that start in a range, and the newest before it, by series, in one query. A year of memories takes longer than all else of it. */
export async function readCountedDays(
  db: Db,
  farmId: number,
  ids: readonly number[],
  { from, to }: Range,
): Promise<Map<number, CountedDays>> {
  const found = new Map<number, CountedDays>(ids.map((id) => [id, { before: null, days: [] }]));
  if (ids.length === 0) return found;
  const rows = await countedDays(db, {
    farmId,
    ids,
    from: new Date(from),
    to: new Date(to),
    memoryFrom: new Date(to - REMEMBERED_MS),
  });
  for (const { series_id: id, at, ...rest } of rows) {
    const day = { at: at.getTime(), ...rest };
    const series = found.get(id);
    if (!series) continue;
    if (day.at < from) series.before = day;
    else series.days.push(day);
  }
  return found;
}

/** A level series, and the time of which its readings are wanted. */
export interface WantedLevels extends Range {
  series: WantedSeries;
}

interface LevelRow {
  series_id: number;
  at: Date;
  value: number;
  place: 'before' | 'in' | 'after';
}

interface LevelBounds {
  farmId: number;
  ids: readonly number[];
  firsts: readonly Date[];
  lasts: readonly Date[];
  least: readonly number[];
  most: readonly number[];
}

/** Planned once for a connection: raw history has a table for each month, and to plan for them takes longer than to read some days. */
const levelReadings = prepared<LevelBounds, LevelRow>('level-readings', (_db, given) => {
  const own = sql`reading.farm_id = ${given('farmId')} and reading.series_id = wanted.id
    and reading.value between wanted.least and wanted.most`;
  return sql<LevelRow>`
    select wanted.id as series_id, one.at, one.value, one.place
    from unnest(
      ${givenList(given('ids'), 'int')},
      ${givenList(given('firsts'), 'timestamptz')}, ${givenList(given('lasts'), 'timestamptz')},
      ${givenList(given('least'), 'float8')}, ${givenList(given('most'), 'float8')}
    ) as wanted(id, first, last, least, most)
    cross join lateral (
      (select at, value, 'before' as place from reading
        where ${own} and at < wanted.first and at >= wanted.first - interval '1 year' order by at desc limit 1)
      union all
      (select at, value, 'in' from reading where ${own} and at >= wanted.first and at < wanted.last)
      union all
      (select at, value, 'after' from reading where ${own} and at >= wanted.last order by at limit 1)
    ) as one
    order by 1, 2`;
});

/** Good readings from raw history, by series, in one query. One before the range is looked for a year back. */
export async function readLevels(
  db: Db,
  farmId: number,
  wanted: readonly WantedLevels[],
): Promise<Map<number, Levels>> {
  const found = new Map<number, Levels>(
    wanted.map(({ series }) => [series.id, { before: null, readings: [], after: null }]),
  );
  if (wanted.length === 0) return found;
  const rows = await levelReadings(db, {
    farmId,
    ids: wanted.map(({ series }) => series.id),
    firsts: wanted.map(({ from }) => new Date(from)),
    lasts: wanted.map(({ to }) => new Date(to)),
    least: wanted.map(({ series }) => series.limits?.min ?? -Infinity),
    most: wanted.map(({ series }) => series.limits?.max ?? Infinity),
  });
  for (const { series_id: id, at, value, place } of rows) {
    const levels = found.get(id);
    const reading = { at: at.getTime(), mm: value };
    if (place === 'in') levels?.readings.push(reading);
    else if (levels) levels[place] = reading;
  }
  return found;
}
