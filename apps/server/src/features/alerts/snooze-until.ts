import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import type { PauseTime } from '@headrace/contract/rules/alerts/snooze-times';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';

const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;

/** In an hour, at the next six in the morning, at six in the evening of tomorrow, or in a week, by the farm's clock. Epoch ms. */
export function snoozeUntil(farm: FarmRow, time: PauseTime, now: number): number {
  if (time === 'hour') return now + HOUR_MS;
  const zone = toZone(farm);
  const today = dayStart(zone, now);
  const tomorrow = addDays(zone, today, 1);
  if (time === 'tomorrow') return clockTime(zone, tomorrow, 18 * 3600);
  if (time === 'week') return clockTime(zone, addDays(zone, today, WEEK_DAYS), 6 * 3600);
  const six = clockTime(zone, today, 6 * 3600);
  return six > now ? six : clockTime(zone, tomorrow, 6 * 3600);
}
