import { median } from './spread.ts';

/** The lowest charge of a day, %. `day`: counted in days, on whichever calendar. */
export interface DayCharge {
  readonly day: number;
  readonly lowest: number;
}

export const forecastConfidences = ['low', 'fair', 'good'] as const;
export type ForecastConfidence = (typeof forecastConfidences)[number];

/** When a battery will be low, at the rate of the last days. Days from `today`, whole ones. */
export interface BatteryForecast {
  /** % a day, negative. */
  readonly perDay: number;
  readonly days: number;
  /** At the rates of the fastest and the slowest quarter; null: at the latter it isn't in sight. */
  readonly earliest: number;
  readonly latest: number | null;
  readonly confidence: ForecastConfidence;
}

/** Days that are looked at, and how many of them must have been heard. */
export const FORECAST_DAYS = 21;
const LEAST_DAYS = 10;
/** So much of its spread a fall must be, or it may be none. */
const LEAST_OF_SPREAD = 1.5;
/** Of three weeks nothing is concluded for longer, days. */
const SIGHT_DAYS = 365;

/**
 * How long a battery lasts until its charge is below `threshold` (%), from the lowest charges of the last 21 whole days with the
 * same battery. The rate is the median of the slopes between all pairs of days (Theil and Sen), which a few odd days don't
 * move; its spread is half of what the middle half of those slopes spans. Null, so that nothing is said: fewer than 10 days,
 * no clear fall, below the threshold already, or longer than a year.
 */
export function batteryForecast(
  days: readonly DayCharge[],
  threshold: number,
  today: number,
): BatteryForecast | null {
  const lately = days.filter(({ day }) => day < today && day >= today - FORECAST_DAYS);
  if (lately.length < LEAST_DAYS) return null;
  const slopes = slopesOf(lately);
  const [steep, perDay, flat] = [quantile(slopes, 0.25), median(slopes) ?? 0, quantile(slopes, 0.75)];
  const spread = (flat - steep) / 2;
  if (perDay >= 0 || -perDay < LEAST_OF_SPREAD * spread) return null;
  const left = levelAt(lately, perDay, today) - threshold;
  const exact = left / -perDay;
  if (left <= 0 || exact > SIGHT_DAYS) return null;
  const latest = flat < 0 ? Math.floor(left / -flat) : null;
  return {
    perDay,
    days: Math.floor(exact),
    earliest: Math.floor(left / -steep),
    latest: latest !== null && latest <= SIGHT_DAYS ? latest : null,
    confidence: confidenceOf(lately.length, -perDay, spread),
  };
}

function slopesOf(days: readonly DayCharge[]): number[] {
  return days
    .flatMap((one, index) =>
      days
        .slice(index + 1)
        .filter(({ day }) => day !== one.day)
        .map(({ day, lowest }) => (lowest - one.lowest) / (day - one.day)),
    )
    .toSorted((one, other) => one - other);
}

/** Of sorted numbers, between two of them by their distance. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The line of this slope that has as many days above it as below it. */
const levelAt = (days: readonly DayCharge[], perDay: number, today: number): number =>
  median(days.map(({ day, lowest }) => lowest + perDay * (today - day))) ?? 0;

/** By how many days it rests on, and by how many times its spread the fall is. */
function confidenceOf(days: number, fall: number, spread: number): ForecastConfidence {
  if (days >= 18 && fall >= 4 * spread) return 'good';
  return days >= 14 && fall >= 2.5 * spread ? 'fair' : 'low';
}
