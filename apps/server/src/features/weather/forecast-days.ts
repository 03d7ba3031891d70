import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart, farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import type { ForecastDay } from '@headrace/contract/weather';

/** YYYY-MM-DD on the zone's clock at `at` (epoch ms). */
export const dayText = (zone: Timezone, at: number): string =>
  new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString().slice(0, 10);

/** Rain today and on `days` more days, mm; null where one of them isn't known. */
export function sumOfRain(
  known: readonly ForecastDay[],
  zone: Timezone,
  days: number,
  now: Date,
): number | null {
  const rainOn = new Map(known.map(({ date, rain }) => [date, rain]));
  const today = dayStart(zone, now.getTime());
  let sum = 0;
  for (let day = 0; day <= days; day += 1) {
    const rain = rainOn.get(dayText(zone, addDays(zone, today, day)));
    if (rain === undefined || rain === null) return null;
    sum += rain;
  }
  return Math.round(sum * 10) / 10;
}
