import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { dayText } from '../farm-clock/day-text.ts';

const HOUR_MS = 3_600_000;
/** After this a day's end can't be told any more from how units are now. */
const SNAPSHOT_WITHIN_MS = 3 * HOUR_MS;

/** The farm's day `days` before that of `at`. */
export const dayBefore = (zone: Timezone, at: number, days: number): string =>
  dayText(zone, addDays(zone, dayStart(zone, at), -days));

export interface EndedDay {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Epoch ms; `to` is midnight. */
  readonly from: number;
  readonly to: number;
}

/** The day that ended at the farm's last midnight, while how units are now still says how they were then; else null. */
export function endedDay(zone: Timezone, now: number): EndedDay | null {
  const midnight = dayStart(zone, now);
  if (now - midnight > SNAPSHOT_WITHIN_MS) return null;
  const from = addDays(zone, midnight, -1);
  return { day: dayText(zone, from), from, to: midnight };
}
