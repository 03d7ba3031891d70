import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart, farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { dayText } from '../../ui/format.ts';

/** The farm's clock at `at` (epoch ms), written as an ISO time. */
const farmClock = (at: number, zone: Timezone): string =>
  new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString();

/** "10:02:11" on the farm's clock. `at` in epoch ms. */
export const secondText = (at: number, zone: Timezone): string => farmClock(at, zone).slice(11, 19);

/** "Today", "Yesterday" or the date, by the farm's days. `today` is when the farm's day began; both in epoch ms. */
export function dayName(at: number, today: number, zone: Timezone): string {
  const start = dayStart(zone, at);
  if (start === today) return 'Today';
  if (start === addDays(zone, today, -1)) return 'Yesterday';
  return dayText(farmClock(at, zone).slice(0, 10));
}
