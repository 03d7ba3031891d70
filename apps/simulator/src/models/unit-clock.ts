import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDayOf, wateringStart } from '@headrace/device/watering-start';
import type { LocalClock } from './local-time.ts';

const minuteMs = 60_000;
const dayMinutes = 1440;
/** A day's minutes may end two days later on a clock that goes forward; tomorrow's may begin today on one that goes back. */
const daysAgo = [-1, 0, 1, 2] as const;

export type UnitSchedule = { readonly entries: readonly ScheduleEntry[]; readonly cycleLength: number };

/** Starts by clock, day and minute: hundreds of units are asked each minute, and each start takes five looks at the clock. */
const starts = new WeakMap<LocalClock, Map<number, number>>();
const mostStarts = 5000;

function startOf(local: LocalClock, day: number, minute: number): number {
  const known = starts.get(local) ?? new Map<number, number>();
  starts.set(local, known);
  const key = day * 2 * dayMinutes + minute;
  const found = known.get(key) ?? wateringStart((moment) => local(moment).offsetMs, day, minute);
  if (known.size > mostStarts) known.clear();
  known.set(key, found);
  return found;
}

/** Whether a unit with this schedule waters at a moment: each entry begins once on its day of the cycle, and lasts its minutes. */
export function isWateringBy({ entries, cycleLength }: UnitSchedule, local: LocalClock, at: number): boolean {
  const today = local(at).day;
  return daysAgo.some((ago) =>
    entries.some(({ start, duration, cycle }) => {
      if (cycle !== cycleDayOf(today - ago, cycleLength)) return false;
      const begin = startOf(local, today - ago, start);
      return begin <= at && at < begin + duration * minuteMs;
    }),
  );
}
