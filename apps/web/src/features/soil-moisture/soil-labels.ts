import type { SiteInsight } from '@headrace/contract/insights';
import { numberText } from '../../ui/format.ts';
import { daysText, halves, hours, isShort, rangeText } from '../insights/days-text.ts';

/**
 * How far a site is from the person's refill band, and when it is there: a reckoning, not a fact; or why that isn't known. "43 kPa to
 * Refill, about 3 days at the rate of the last days (2 to 4½); medium confidence".
 */
export function refillText(insight: SiteInsight, bandName: string): string {
  const { untilRefill, noForecast } = insight;
  if (!untilRefill)
    return unknownText(insight, bandName) || (noForecast && `No forecast of ${bandName}. ${noForecast}`);
  const { days, earliest, latest, kpaNow, refillKpa, confidence } = untilRefill;
  const trust = `${confidence} confidence`;
  if (days === 0)
    return `At ${bandName}: ${numberText(kpaNow)} kPa, ${bandName} starts at ${numberText(refillKpa)} kPa (${trust})`;
  const scale = isShort(days) ? hours : halves;
  const end = (value: number) => (value === 0 ? 'now' : scale(value));
  const way = `${numberText(refillKpa - kpaNow)} kPa to ${bandName}`;
  return `${way}, about ${daysText(days)} at the rate of the last days (${rangeText(earliest, latest, end)}); ${trust}`;
}

/** The way is known also where the pace isn't. */
function unknownText({ kpaNow, refillKpa, noForecast }: SiteInsight, bandName: string): string {
  if (kpaNow === null || kpaNow >= refillKpa || !noForecast) return '';
  return `${numberText(refillKpa - kpaNow)} kPa to ${bandName}. When it is there isn't known yet: ${noForecast}`;
}
