import type { SiteInsight } from '@headrace/contract/insights';
import type { StressBand } from '@headrace/contract/settings';
import { numberText } from '../../ui/format.ts';

/** The band that holds a tension; null below the first one's start. Of bands that start together the last holds. */
export const bandOf = (bands: readonly StressBand[], kpa: number): StressBand | null =>
  bands.findLast(({ start }) => start <= kpa) ?? null;

/** "1½": to the half up to ten, whole beyond. */
export function halves(days: number): string {
  const half = Math.round(days * 2) / 2;
  if (days >= 10 || Number.isInteger(half)) return numberText(days >= 10 ? days : half);
  return half < 1 ? '½' : `${Math.floor(half)}½`;
}

const unit = (text: string, name: string) => `${text} ${name}${text === '1' || text === '½' ? '' : 's'}`;

/** Below half a day a time is told in hours. */
const isShort = (days: number) => days < 0.5;
const hours = (days: number) => numberText(Math.max(1, days * 24));

/** "2 days", "½ day", "7 hours". */
export const daysText = (days: number): string =>
  isShort(days) ? unit(hours(days), 'hour') : unit(halves(days), 'day');

/** "5 to 8½"; "5 or more" where the end isn't known. */
export const rangeText = (
  earliest: number,
  latest: number | null,
  textOf: (days: number) => string,
): string => (latest === null ? `${textOf(earliest)} or more` : `${textOf(earliest)} to ${textOf(latest)}`);

/** When a site reaches the person's refill band, as a reckoning and not as a fact; or why that isn't known. */
export function refillText({ untilRefill, noForecast }: SiteInsight, bandName: string): string {
  if (!untilRefill) return noForecast && `No forecast of ${bandName}. ${noForecast}`;
  const { days, earliest, latest, kpaNow, refillKpa, confidence } = untilRefill;
  const trust = `${confidence} confidence`;
  if (days === 0)
    return `At ${bandName}: ${numberText(kpaNow)} kPa, ${bandName} starts at ${numberText(refillKpa)} kPa (${trust})`;
  const scale = isShort(days) ? hours : halves;
  const end = (value: number) => (value === 0 ? 'now' : scale(value));
  return `Reaches ${bandName} in about ${daysText(days)} (${rangeText(earliest, latest, end)}), ${trust}`;
}
