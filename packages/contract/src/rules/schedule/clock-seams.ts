import type { Timezone } from '../../farms.ts';
import { farmOffsetSeconds } from '../farm-time.ts';

const HALF_HOUR = 1_800_000;
const DAY_MINUTES = 1440;

/** Where the farm's clock jumps: at `at` (epoch ms) it goes from one minute of the day to another. */
export interface ClockSeam {
  readonly at: number;
  readonly fromMin: number;
  readonly toMin: number;
}

/** The clock changes of a time (epoch ms), oldest first. Zones change their clocks at a whole half hour. */
export function clockSeams(zone: Timezone, from: number, to: number): ClockSeam[] {
  const found: ClockSeam[] = [];
  const first = Math.ceil(from / HALF_HOUR) * HALF_HOUR;
  for (let at = first; at < to; at += HALF_HOUR) {
    const [before, after] = [farmOffsetSeconds(zone, at - 1), farmOffsetSeconds(zone, at)];
    if (before !== after) found.push({ at, fromMin: minuteAt(at, before), toMin: minuteAt(at, after) });
  }
  return found;
}

const minuteAt = (at: number, offsetS: number) =>
  ((Math.floor((at + offsetS * 1000) / 60_000) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;

/** Minute of the farm's day at a moment (epoch ms). */
export const farmMinute = (zone: Timezone, at: number): number => minuteAt(at, farmOffsetSeconds(zone, at));
