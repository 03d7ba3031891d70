import { sql } from 'kysely';
import { LEVEL_USE } from '@headrace/contract/limits';
import type { LevelMemory } from '@headrace/contract/rules/level-use';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { Levels } from './level-walk.ts';
import type { Given, Range } from '../series/rollup-query.ts';
import { epochMs } from '../series/packed-rollups.ts';
import { limitsOf, type WantedSeries } from '../series/series-limits.ts';

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

/** Days of a series, oldest first, as PostgreSQL sends them: see `dayAsBytes`. */
interface PackedDays {
  series_id: number;
  packed: Buffer;
  /** By the epoch ms of their day. */
  memories: Record<string, LevelMemory> | null;
}

interface CountedBounds {
  farmId: number;
  from: Date;
  to: Date;
  memoryFrom: Date;
}

const dayAsBytes = sql.raw(
  'timestamptz_send(at) || int4send(stored) || int4send(n) || float8send(fall) || float8send(rise)',
);
const DAY_BYTES = 32;

/** Of the series that `wanted` has by `id`. A year has 365 days: packed for the reason that rollups are. */
const daysOfWanted = (given: Given<CountedBounds>) => sql`
  select series_id, string_agg(${dayAsBytes}, ''::bytea order by at) as packed,
    jsonb_object_agg((extract(epoch from at) * 1000)::bigint, memory) filter (where memory is not null) as memories
  from (
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
  ) as day
  group by series_id`;

const daysOfSeries = prepared<CountedBounds & { ids: readonly number[] }, PackedDays>(
  'counted-days',
  (_db, given) => sql<PackedDays>`
    with wanted as materialized (select unnest(${givenList(given('ids'), 'int')}) as id)
    ${daysOfWanted(given)}`,
);

const daysOfDevice = prepared<CountedBounds & { deviceId: number }, PackedDays>(
  'counted-days-of-device',
  (_db, given) => sql<PackedDays>`
    with wanted as materialized (
      select id from series where farm_id = ${given('farmId')} and device_id = ${given('deviceId')} and metric = 'levelMm'
    )
    ${daysOfWanted(given)}`,
);

function daysOf({ packed, memories }: PackedDays): CountedDay[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: packed.byteLength / DAY_BYTES }, (_, nth) => {
    const start = nth * DAY_BYTES;
    const at = epochMs(view, start);
    return {
      at,
      stored: view.getInt32(start + 8),
      n: view.getInt32(start + 12),
      fall: view.getFloat64(start + 16),
      rise: view.getFloat64(start + 24),
      memory: memories?.[at] ?? null,
    };
  });
}

/** Late readings are counted from the day before them on, and a day of the farm may have 25 hours. */
const REMEMBERED_MS = (LEVEL_USE.lateDays + 2) * 86_400_000;

const boundsOf = (farmId: number, { from, to }: Range): CountedBounds => ({
  farmId,
  from: new Date(from),
  to: new Date(to),
  memoryFrom: new Date(to - REMEMBERED_MS),
});

/** Days that start in a range, and the newest before it, by series, in one query. A year of memories takes longer than all else of it. */
export async function readCountedDays(
  db: Db,
  farmId: number,
  ids: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, CountedDays>> {
  if (ids.length === 0) return new Map();
  return bySeries(await daysOfSeries(db, { ...boundsOf(farmId, range), ids }), range);
}

/** The same of a device's level, for who doesn't know its series yet. */
export async function readCountedDaysOf(
  db: Db,
  { farm_id: farmId, id: deviceId }: Pick<DeviceRow, 'farm_id' | 'id'>,
  range: Range,
): Promise<ReadonlyMap<number, CountedDays>> {
  return bySeries(await daysOfDevice(db, { ...boundsOf(farmId, range), deviceId }), range);
}

const bySeries = (rows: readonly PackedDays[], { from }: Range): ReadonlyMap<number, CountedDays> =>
  new Map(
    rows.map((row) => {
      const days = daysOf(row);
      const before = days[0] && days[0].at < from ? days[0] : null;
      return [row.series_id, { before, days: before ? days.slice(1) : days }];
    }),
  );

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

interface DeviceLevelBounds {
  farmId: number;
  deviceId: number;
  first: Date;
  last: Date;
  least: number;
  most: number;
}

/** Of the series that `wanted` has, each between its `first` and `last`. */
const levelsOfWanted = (given: Given<{ farmId: number }>) => {
  const own = sql`reading.farm_id = ${given('farmId')} and reading.series_id = wanted.id
    and reading.value between wanted.least and wanted.most`;
  return sql`
    select wanted.id as series_id, one.at, one.value, one.place
    from wanted
    cross join lateral (
      (select at, value, 'before' as place from reading
        where ${own} and at < wanted.first and at >= wanted.first - interval '1 year' order by at desc limit 1)
      union all
      (select at, value, 'in' from reading where ${own} and at >= wanted.first and at < wanted.last)
      union all
      (select at, value, 'after' from reading where ${own} and at >= wanted.last order by at limit 1)
    ) as one
    order by 1, 2`;
};

/** Planned once for a connection: raw history has a table for each month, and to plan for them takes longer than to read some days. */
const levelReadings = prepared<LevelBounds, LevelRow>(
  'level-readings',
  (_db, given) => sql<LevelRow>`
    with wanted as materialized (
      select * from unnest(
        ${givenList(given('ids'), 'int')},
        ${givenList(given('firsts'), 'timestamptz')}, ${givenList(given('lasts'), 'timestamptz')},
        ${givenList(given('least'), 'float8')}, ${givenList(given('most'), 'float8')}
      ) as wanted(id, first, last, least, most)
    )
    ${levelsOfWanted(given)}`,
);

const levelReadingsOfDevice = prepared<DeviceLevelBounds, LevelRow>(
  'level-readings-of-device',
  (_db, given) => sql<LevelRow>`
    with wanted as materialized (
      select id, ${given('first')}::timestamptz as first, ${given('last')}::timestamptz as last,
        ${given('least')}::float8 as least, ${given('most')}::float8 as most
      from series where farm_id = ${given('farmId')} and device_id = ${given('deviceId')} and metric = 'levelMm'
    )
    ${levelsOfWanted(given)}`,
);

/** Good readings from raw history, by series, in one query. One before the range is looked for a year back. */
export async function readLevels(
  db: Db,
  farmId: number,
  wanted: readonly WantedLevels[],
): Promise<Map<number, Levels>> {
  const found = new Map(wanted.map(({ series }) => [series.id, noLevels()]));
  if (wanted.length === 0) return found;
  const rows = await levelReadings(db, {
    farmId,
    ids: wanted.map(({ series }) => series.id),
    firsts: wanted.map(({ from }) => new Date(from)),
    lasts: wanted.map(({ to }) => new Date(to)),
    least: wanted.map(({ series }) => series.limits?.min ?? -Infinity),
    most: wanted.map(({ series }) => series.limits?.max ?? Infinity),
  });
  return new Map([...found, ...levelsBySeries(rows)]);
}

/** The same of a device's level, for who doesn't know its series yet; no entry where it has no reading. */
export async function readLevelsOf(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'id' | 'settings'>,
  { from, to }: Range,
): Promise<Map<number, Levels>> {
  const limits = limitsOf(device, 'levelMm');
  const rows = await levelReadingsOfDevice(db, {
    farmId: device.farm_id,
    deviceId: device.id,
    first: new Date(from),
    last: new Date(to),
    least: limits?.min ?? -Infinity,
    most: limits?.max ?? Infinity,
  });
  return levelsBySeries(rows);
}

function levelsBySeries(rows: readonly LevelRow[]): Map<number, Levels> {
  const found = new Map<number, Levels>();
  for (const { series_id: id, at, value, place } of rows) {
    const levels = found.get(id) ?? noLevels();
    found.set(id, levels);
    const reading = { at: at.getTime(), mm: value };
    if (place === 'in') levels.readings.push(reading);
    else levels[place] = reading;
  }
  return found;
}

const noLevels = (): Levels => ({ before: null, readings: [], after: null });
