import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDayOf, wateringStart } from '@headrace/device/watering-start';
import type { LocalTime } from './local-time.ts';

const minuteMs = 60_000;
/** A day's minutes may end two days later on a clock that goes forward; tomorrow's may begin today on one that goes back. */
const daysAgo = [-1, 0, 1, 2] as const;

export type UnitSchedule = { readonly entries: readonly ScheduleEntry[]; readonly cycleLength: number };

/** Whether a unit with this schedule waters at a moment: each entry begins once on its day of the cycle, and lasts its minutes. */
export function isWateringBy(
  { entries, cycleLength }: UnitSchedule,
  local: (at: number) => LocalTime,
  at: number,
): boolean {
  const today = local(at).day;
  const offsetAt = (moment: number) => local(moment).offsetMs;
  return daysAgo.some((ago) =>
    entries.some(({ start, duration, cycle }) => {
      if (cycle !== cycleDayOf(today - ago, cycleLength)) return false;
      const begin = wateringStart(offsetAt, today - ago, start);
      return begin <= at && at < begin + duration * minuteMs;
    }),
  );
}
