import { DAY_MINUTES, type DayWindow, type Limits } from './plan.ts';

/**
 * For each minute of the day how long it stays open from then on, minutes: inside a window and outside of what is to be avoided. 0: it is
 * closed; infinity: it never closes.
 */
export function runways({ windows, avoid }: Pick<Limits, 'windows' | 'avoid'>): readonly number[] {
  const isOpen = (minute: number) =>
    (windows.length === 0 || windows.some((window) => isIn(window, minute))) &&
    !avoid.some((window) => isIn(window, minute));
  const open = Array.from({ length: DAY_MINUTES }, (_, minute) => isOpen(minute));
  const closes = open.indexOf(false);
  if (closes < 0) return open.map(() => Number.POSITIVE_INFINITY);
  const runway = Array<number>(DAY_MINUTES).fill(0);
  // Backwards from a minute that is closed, once around the day.
  for (let back = 1; back < DAY_MINUTES; back += 1) {
    const minute = (closes - back + DAY_MINUTES) % DAY_MINUTES;
    if (open[minute]) runway[minute] = 1 + (runway[(minute + 1) % DAY_MINUTES] ?? 0);
  }
  return runway;
}

function isIn({ fromMin, toMin }: DayWindow, minute: number): boolean {
  return fromMin < toMin ? fromMin <= minute && minute < toMin : minute >= fromMin || minute < toMin;
}

/** Minutes of a cycle in which water may run. */
export const openMinutes = (runway: readonly number[], cycleMin: number): number =>
  (runway.filter((minutes) => minutes > 0).length * cycleMin) / DAY_MINUTES;
