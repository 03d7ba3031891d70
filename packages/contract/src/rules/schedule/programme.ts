import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';

const DAY_MINUTES = 1440;
/** Longer cycles than a year aren't believed. */
export const CYCLE_DAYS_MAX = 366;

/** One unit's turn in a cycle. Times in whole minutes. */
export interface Run {
  readonly unit: string;
  readonly group: string;
  /** The line that it waters in: the group's name, or `name/2` where the group has several. */
  readonly scheduleGroup: string;
  /** From the start of the cycle: 0 to its length - 1. */
  readonly start: number;
  readonly duration: number;
  /** Day of the cycle, from 1. */
  readonly cycle: number;
}

/** All that one unit is to water, as it keeps it: minutes of a day, sorted. */
export interface Programme {
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
  readonly crc: string;
}

/** What a unit is told so that it makes these runs of its own in a cycle of so many minutes; several rounds a day are spelled out. */
export function programmeOf(runs: readonly Pick<Run, 'start' | 'duration'>[], cycleMin: number): Programme {
  const rounds = Math.max(1, Math.floor(DAY_MINUTES / cycleMin));
  const entries = runs
    .flatMap(({ start, duration }) =>
      Array.from({ length: rounds }, (_, round) => entryAt(start + round * cycleMin, duration)),
    )
    .toSorted(inOrder);
  return { entries, cycleDays: Math.max(1, Math.ceil(cycleMin / DAY_MINUTES)), crc: scheduleCrc(entries) };
}

const entryAt = (start: number, duration: number): ScheduleEntry => ({
  start: start % DAY_MINUTES,
  duration,
  cycle: Math.floor(start / DAY_MINUTES) + 1,
});

/** As units keep entries, and as their CRC is reckoned. */
const inOrder = (one: ScheduleEntry, other: ScheduleEntry) =>
  one.cycle - other.cycle || one.start - other.start || one.duration - other.duration;
