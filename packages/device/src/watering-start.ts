const DAY = 86_400_000;
const MINUTE = 60_000;

/** Milliseconds that the farm's clock is ahead of UTC at a moment (epoch ms). */
export type OffsetAt = (at: number) => number;

/** Day of a cycle of `length` days, from 1: day 1 is every farm day whose number since 1970-01-01 divides by `length`. */
export function cycleDayOf(day: number, length: number): number {
  return (((day % length) + length) % length) + 1;
}

/**
 * When a watering of a farm day (its number since 1970-01-01) begins, epoch ms: at the first moment at which the farm's clock
 * shows `minute` after midnight of that day, or later. So one in the hour that a clock change skips begins at the change, and
 * one in an hour that comes twice begins the first time and not again.
 */
export function wateringStart(offsetAt: OffsetAt, day: number, minute: number): number {
  const local = day * DAY + minute * MINUTE;
  // Zones lie within 14 hours of UTC: a day to either side is before and after a change of that night.
  const byOld = local - offsetAt(local - DAY);
  const byNew = local - offsetAt(local + DAY);
  const shows = (at: number) => at + offsetAt(at) === local;
  if (byOld === byNew || shows(byOld)) return byOld;
  return shows(byNew) ? byNew : changeBetween(offsetAt, byNew, byOld);
}

/** The first moment of the offset that holds at `after`; at `before` another one does. */
function changeBetween(offsetAt: OffsetAt, before: number, after: number): number {
  let [old, changed] = [before, after];
  while (changed - old > 1) {
    const middle = Math.floor((old + changed) / 2);
    if (offsetAt(middle) === offsetAt(after)) changed = middle;
    else old = middle;
  }
  return changed;
}
