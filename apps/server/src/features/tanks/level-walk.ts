import type { Timezone } from '@headrace/contract/farms';
import {
  type LevelMemory,
  type LevelMove,
  levelMoves,
  type LevelReading,
} from '@headrace/contract/rules/level-use';
import { type Bucket, sharesOf } from '@headrace/contract/rules/stretches';
import { bucketsInOrder } from '../series/buckets.ts';
import type { Range } from '../series/rollup-query.ts';

/** Good readings of a level in a range, with the nearest before and after it. */
export interface Levels {
  before: LevelReading | null;
  readings: LevelReading[];
  after: LevelReading | null;
}

export interface Walk {
  moves: LevelMove[];
  /** Of each day with readings: its start, how many, and what was known of the sensor at its end. */
  days: { at: number; n: number; memory: LevelMemory }[];
}

/** What left and came from a day's start on, day by day: `memory` is of the end of the day before. */
export function walkLevels(zone: Timezone, start: LevelMemory | null, levels: Levels): Walk {
  const walk: Walk = { moves: [], days: [] };
  let { before } = levels;
  let memory = start;
  const take = (readings: readonly LevelReading[]) => {
    const found = levelMoves(memory, before, readings);
    walk.moves.push(...found.moves);
    return found.memory;
  };
  for (const [at, readings] of byDay(zone, levels.readings)) {
    memory = take(readings);
    before = readings.at(-1) ?? before;
    if (memory) walk.days.push({ at, n: readings.length, memory });
  }
  if (levels.after) take([levels.after]);
  return walk;
}

function byDay(zone: Timezone, readings: readonly LevelReading[]): Map<number, LevelReading[]> {
  const days = new Map<number, LevelReading[]>();
  const dayAt = bucketsInOrder(zone, 'day');
  for (const reading of readings) {
    const at = dayAt(reading.at).start;
    const day = days.get(at);
    if (day) day.push(reading);
    else days.set(at, [reading]);
  }
  return days;
}

/** mm in an hour or day. */
export interface BucketUse {
  bucket: Bucket;
  fall: number;
  rise: number;
}

/** What left and came in each hour or day that starts in a range: what lies between two readings evenly over that time. */
export function useByBucket(
  moves: readonly LevelMove[],
  bucketAt: (at: number) => Bucket,
  within: Range,
): Map<number, BucketUse> {
  const found = new Map<number, BucketUse>();
  for (const { from, to, fall, rise } of moves)
    for (const { bucket, share } of sharesOf({ from, to, amount: 1, knownMs: 0 }, bucketAt, within)) {
      const use = found.get(bucket.start) ?? { bucket, fall: 0, rise: 0 };
      use.fall += fall * share.amount;
      use.rise += rise * share.amount;
      found.set(bucket.start, use);
    }
  return found;
}
