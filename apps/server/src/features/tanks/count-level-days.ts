import { sql, type Transaction } from 'kysely';
import type { Timezone } from '@headrace/contract/farms';
import { LEVEL_USE } from '@headrace/contract/limits';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import type { SensorSettings } from '@headrace/contract/sensors';
import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';
import { bucketsInOrder } from '../series/buckets.ts';
import { type CountedDay, readCountedDays, readLevels } from './level-days.ts';
import { useByBucket, walkLevels } from './level-walk.ts';
import type { Range } from '../series/rollup-query.ts';
import { limitsOf, type WantedSeries } from '../series/series-limits.ts';

/** Days of one series that are counted in one go: some 10,000 readings of one that reports by the minute, which keep the thread for 20 ms. */
const STEP_DAYS = 7;
/** Other jobs and a stopping server wait no longer than this for one run, ms. */
const RUN_MS = 5000;
const DAY = 86_400_000;

interface LevelSeries {
  farmId: number;
  zone: Timezone;
  wanted: WantedSeries;
  /** The newest level that is known, epoch ms: a day is over when there is one after it. */
  newest: number;
}

/**
 * Counts the use of days that are over and aren't counted yet, or whose readings have changed since: late ones, another
 * clock, another height of the tank. Goes on with the next run where time is up.
 */
export async function countLevelDays(db: Db, now: Date, runMs = RUN_MS): Promise<void> {
  const until = performance.now() + runMs;
  for (const series of await levelSeries(db)) {
    let from = await firstUncounted(db, series, now);
    while (from !== null) {
      await countFrom(db, series, from);
      if (performance.now() > until) return;
      const next = await firstUncounted(db, series, now);
      from = next !== null && next > from ? next : null;
    }
  }
}

interface SeriesRow {
  id: number;
  farm_id: number;
  settings: SensorSettings;
  valid_at: Date;
  zone: Timezone;
}

async function levelSeries(db: Db): Promise<LevelSeries[]> {
  const { rows } = await sql<SeriesRow>`
    select s.id, s.farm_id, d.settings, l.valid_at, json_build_object('timeZoneId', f.time_zone_id, 'rawOffset', f.raw_offset,
      'dstOffset', f.dst_offset, 'dstEnabled', f.dst_enabled) as zone
    from series s
    join device d on d.farm_id = s.farm_id and d.id = s.device_id and d.deleted_at is null
    join farm f on f.id = s.farm_id and f.deleted_at is null
    join latest l on l.farm_id = s.farm_id and l.series_id = s.id
    where s.metric = 'levelMm' and l.valid_at is not null
    order by s.farm_id, s.id`.execute(db);
  return rows.map(({ id, farm_id: farmId, settings, valid_at: validAt, zone }) => ({
    farmId,
    zone,
    wanted: { id, metric: 'levelMm', limits: limitsOf({ settings }, 'levelMm'), wrapAt: null },
    newest: validAt.getTime(),
  }));
}

/** The first of the last days, or of all whose raw readings are kept, that has to be counted; epoch ms, null: none. */
async function firstUncounted(
  db: Db,
  { farmId, zone, wanted, newest }: LevelSeries,
  now: Date,
): Promise<number | null> {
  const end = new Date(dayStart(zone, newest));
  const lately = new Date(now.getTime() - LEVEL_USE.lateDays * DAY);
  const most = wanted.limits?.max ?? 0;
  const days = sql`reading_day d where d.farm_id = ${farmId} and d.series_id = ${wanted.id} and d.at < ${end}`;
  const counted = sql`level_day c where c.farm_id = ${farmId} and c.series_id = ${wanted.id}`;
  const { rows } = await sql<{ at: Date | null }>`
    with oldest as (
      select d.at from ${days} and d.first_at >= (
        select at from reading where farm_id = ${farmId} and series_id = ${wanted.id} and value is not null order by at limit 1
      ) order by d.at limit 1
    )
    select least(
      (select at from oldest where not exists (select from ${counted} and c.at = oldest.at)),
      (select min(d.at) from ${days} and d.at > (select max(c.at) from ${counted})),
      (select min(c.at) from ${counted} and c.at >= (select at from oldest) and c.most <> ${most}::float8),
      (select min(d.at) from ${days} and d.at >= greatest(${lately}::timestamptz, (select at from oldest))
        and not exists (select from ${counted} and c.at = d.at and c.stored = d.n))
    ) as at`.execute(db);
  return rows[0]?.at?.getTime() ?? null;
}

/** Some days from a day on, and the one before it, whose end lies between two readings. */
async function countFrom(db: Db, series: LevelSeries, from: number): Promise<void> {
  const { farmId, zone, wanted, newest } = series;
  const to = Math.min(addDays(zone, from, STEP_DAYS), dayStart(zone, newest));
  const first = addDays(zone, from, -1);
  const counted = (await readCountedDays(db, farmId, [wanted.id], { from: first, to: first })).get(wanted.id);
  const start = counted?.before ? Math.min(first, addDays(zone, counted.before.at, 1)) : first;
  const stored = await storedCounts(db, series, start, to);
  const levels = (await readLevels(db, farmId, [{ series: wanted, from: start, to }])).get(wanted.id);
  if (!levels) return;
  const { moves, days } = walkLevels(zone, counted?.before?.memory ?? null, levels);
  const uses = useByBucket(moves, bucketsInOrder(zone, 'day'), { from: start, to });
  const ends = new Map(days.map((day) => [day.at, day]));
  let memory = counted?.before?.memory ?? null;
  const rows = [...new Set([...stored.keys(), ...uses.keys()])]
    .toSorted((a, b) => a - b)
    .map((at) => {
      const end = ends.get(at);
      memory = end?.memory ?? memory;
      const { fall, rise } = uses.get(at) ?? { fall: 0, rise: 0 };
      return { at, stored: stored.get(at) ?? 0, n: end?.n ?? 0, fall, rise, memory };
    });
  await db.transaction().execute((trx) => store(trx, series, { from: start, to }, rows));
}

async function storedCounts(db: Db, { farmId, wanted }: LevelSeries, from: number, to: number) {
  const rows = await db
    .selectFrom('reading_day')
    .select(['at', 'n'])
    .where('farm_id', '=', farmId)
    .where('series_id', '=', wanted.id)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .execute();
  return new Map(rows.map(({ at, n }) => [at.getTime(), n]));
}

/** In place of what was counted of this time before. */
async function store(
  trx: Transaction<Database>,
  { farmId, wanted }: LevelSeries,
  { from, to }: Range,
  rows: readonly CountedDay[],
): Promise<void> {
  await trx
    .deleteFrom('level_day')
    .where('farm_id', '=', farmId)
    .where('series_id', '=', wanted.id)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .execute();
  const memories = rows.map(({ memory }) => memory && JSON.stringify(memory));
  await sql`
    insert into level_day (farm_id, series_id, at, stored, n, most, fall, rise, memory)
    select ${farmId}::int, ${wanted.id}::int, day.at, day.stored, day.n, ${wanted.limits?.max ?? 0}::float8, day.fall, day.rise,
      day.memory::jsonb
    from unnest(
      ${rows.map(({ at }) => new Date(at))}::timestamptz[], ${rows.map(({ stored }) => stored)}::int[],
      ${rows.map(({ n }) => n)}::int[], ${rows.map(({ fall }) => fall)}::float8[],
      ${rows.map(({ rise }) => rise)}::float8[], ${memories}::text[]
    ) as day(at, stored, n, fall, rise, memory)
    on conflict (farm_id, series_id, at) do nothing`.execute(trx);
}
