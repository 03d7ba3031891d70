import type { Timezone } from '@headrace/contract/farms';
import { LEVEL_USE } from '@headrace/contract/limits';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import type { LevelMemory, LevelMove } from '@headrace/contract/rules/level-use';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { bucketsInOrder } from '../series/buckets.ts';
import {
  type CountedDay,
  type CountedDays,
  readCountedDays,
  readCountedDaysOf,
  readLevels,
  readLevelsOf,
} from './level-days.ts';
import { type Levels, useByBucket, walkLevels } from './level-walk.ts';
import type { Range, Rollup, RollupSeries, Span } from '../series/rollup-query.ts';
import type { WantedSeries } from '../series/series-limits.ts';

/** What left a tank and what came into it beside its sensor's noise, mm. Epoch ms. */
export interface LevelUse {
  at: number;
  fall: number;
  rise: number;
  firstAt: number;
  lastAt: number;
  /** No reading lies in it: it has its share of what left over a longer time. */
  isShared: boolean;
}

export interface LevelUseQuery {
  span: Span | 'reading';
  farmId: number;
  range: Range;
  zone: Timezone;
}

/**
 * By series, what left and came by reading, hour or day. Days that have been counted are read as they are; hours, readings and
 * the days since (today, mostly) are counted from raw history, from where the last counted day left off. No entry
 * for an hour or day of which the raw readings are gone before it was counted.
 */
export async function levelUses(
  db: Db,
  query: LevelUseQuery,
  wanted: readonly WantedSeries[],
  rollups: ReadonlyMap<number, RollupSeries>,
  ahead?: ReadAhead,
): Promise<Map<number, LevelUse[]>> {
  const { farmId, range, zone } = query;
  const ids = wanted.map(({ id }) => id);
  const counted = ahead?.counted ?? (await readCountedDays(db, farmId, ids, countedRange(query)));
  const plans = wanted.map((series) => {
    const rows = rollups.get(series.id)?.rows ?? [];
    return { series, rows, ...planOf(query, rows, counted.get(series.id) ?? none) };
  });
  const isRead = ({ from }: Plan) => from === ahead?.from;
  const raw = await readLevels(
    db,
    farmId,
    plans
      .filter((plan) => plan.from < range.to && !isRead(plan))
      .map(({ series, from }) => ({ series, from, to: range.to })),
  );
  return new Map(
    plans.map((plan) => {
      const levels = (isRead(plan) ? ahead?.levels : raw)?.get(plan.series.id);
      const since = levels ? usesSince(query, plan, levels) : [];
      return [plan.series.id, [...ofCounted(zone, plan.rows, plan.known), ...since]];
    }),
  );
}

const none: CountedDays = { before: null, days: [] };

/** What `levelUses` needs, read by who had no need to wait for what else it is given. */
export interface ReadAhead {
  counted: ReadonlyMap<number, CountedDays>;
  /** The raw readings of a tank from here on are most likely all that are needed: the days before are counted by then. Epoch ms. */
  from: number;
  levels: ReadonlyMap<number, Levels>;
}

export async function readAhead(
  db: Db,
  device: DeviceRow,
  query: Omit<LevelUseQuery, 'farmId'>,
): Promise<ReadAhead> {
  const { range, span, zone } = query;
  const from = dayStart(zone, span === 'day' ? range.to - 1 : range.from);
  const [counted, levels] = await Promise.all([
    readCountedDaysOf(db, device, countedRange(query)),
    readLevelsOf(db, device, { from, to: range.to }),
  ]);
  return { counted, from, levels };
}

/** The days of which what was counted is needed: of hours and readings only what was known of the sensor as they begin. */
function countedRange({ range, span, zone }: Omit<LevelUseQuery, 'farmId'>): Range {
  const from = dayStart(zone, range.from);
  return { from, to: span === 'day' ? range.to : from };
}

interface Plan {
  /** Counted, in the range. */
  known: CountedDay[];
  /** From here on raw readings are counted, with what was known of the sensor by then. */
  from: number;
  memory: LevelMemory | null;
}

/** Counted days hold as far as the readings are the same that they were counted from. */
function planOf(
  { range, zone, span }: LevelUseQuery,
  rows: readonly Rollup[],
  { before, days }: CountedDays,
): Plan {
  const byStart = new Map(days.map((day) => [day.at, day]));
  const stale = rows.find(({ at, n }) => {
    const day = byStart.get(at);
    return !day || (day.n !== n && day.stored !== n);
  });
  const known = days.filter(({ at }) => !stale || at < stale.at);
  const last = known.at(-1) ?? before;
  const longAgo = dayStart(zone, range.to - LEVEL_USE.lateDays * DAY);
  const earliest = span === 'day' ? longAgo : Math.min(longAgo, dayStart(zone, range.from));
  const next = last && addDays(zone, last.at, 1);
  // Without a counted day all questions begin alike, so that they have the same answer.
  return last && next !== null && next >= earliest
    ? { known, from: next, memory: last.memory }
    : { known, from: earliest, memory: null };
}
const DAY = 86_400_000;

function ofCounted(zone: Timezone, rows: readonly Rollup[], known: readonly CountedDay[]): LevelUse[] {
  const heard = new Map(rows.flatMap((row) => (row.n > 0 ? [[row.at, row]] : [])));
  return known.map(({ at, fall, rise }) => {
    const row = heard.get(at);
    const { firstAt, lastAt } = row ?? { firstAt: at, lastAt: addDays(zone, at, 1) };
    return { at, fall, rise, firstAt, lastAt, isShared: !row };
  });
}

function usesSince(
  { span, zone, range }: LevelUseQuery,
  { rows, from, memory }: Plan & { rows: readonly Rollup[] },
  levels: Levels,
): LevelUse[] {
  const { moves } = walkLevels(zone, memory, levels);
  const within = { from: Math.max(range.from, from), to: range.to };
  if (span === 'reading') return usesByReading(moves, levels, within);
  const first = (levels.before ?? levels.readings[0])?.at ?? Infinity;
  const uses = new Map<number, LevelUse>();
  for (const { at, n, firstAt, lastAt } of rows)
    if (n > 0 && at >= within.from && lastAt >= first)
      uses.set(at, { at, fall: 0, rise: 0, firstAt, lastAt, isShared: false });
  for (const [at, { bucket, fall, rise }] of useByBucket(moves, bucketsInOrder(zone, span), within)) {
    const use = uses.get(at);
    if (use) Object.assign(use, { fall, rise });
    else uses.set(at, { at, fall, rise, firstAt: bucket.from, lastAt: bucket.to, isShared: true });
  }
  return [...uses.values()].toSorted((a, b) => a.at - b.at);
}

function usesByReading(moves: readonly LevelMove[], { readings }: Levels, within: Range): LevelUse[] {
  const byEnd = new Map(moves.map((move) => [move.to, move]));
  return readings
    .filter(({ at }) => at >= within.from && at < within.to)
    .map(({ at }) => {
      const { fall, rise } = byEnd.get(at) ?? { fall: 0, rise: 0 };
      return { at, fall, rise, firstAt: at, lastAt: at, isShared: false };
    });
}
