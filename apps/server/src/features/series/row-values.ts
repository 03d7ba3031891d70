import type { Rollup } from './rollup-query.ts';

const DAY_MS = 86_400_000;
let lastDay = Number.NaN;
let lastDate = '';

/** As `Date.toISOString`, of epoch ms: a month's hours have 30 dates, which take most of the work. */
export function isoTime(at: number): string {
  const time = Math.trunc(at);
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(time).toISOString().slice(0, -CLOCK_LENGTH);
    lastDay = day;
  }
  const ms = time - day * DAY_MS;
  const clock = `${twoDigits(ms / 3_600_000)}:${twoDigits((ms / 60_000) % 60)}:${twoDigits((ms / 1000) % 60)}`;
  return `${lastDate}${clock}.${String(ms % 1000).padStart(3, '0')}Z`;
}
const CLOCK_LENGTH = 'hh:mm:ss.mmmZ'.length;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const twoDigits = (value: number) => TWO_DIGITS[Math.trunc(value)];

/** Two decimals are more than any of these sensors can see. */
export const rounded = (value: number) => Math.round(value * 100) / 100;
export const meanOf = (row: Rollup) => row.sum / row.n;

/** Mean of an hour or day; where some of its readings can't be, the newest that is known and can; null when none is. */
export function meanOfValid(row: Rollup, isValid: (value: number) => boolean): number | null {
  if (isValid(row.min) && isValid(row.max)) return meanOf(row);
  if (isValid(row.lastValue)) return row.lastValue;
  return isValid(row.firstValue) ? row.firstValue : null;
}

/** The lowest and highest reading of an hour or day that can be; null when none is known to. */
export function extremesOfValid(
  { min, max, firstValue, lastValue }: Rollup,
  isValid: (value: number) => boolean,
): { lowest: number; highest: number } | null {
  const known = [min, max, firstValue, lastValue].filter(isValid);
  return known.length === 0 ? null : { lowest: Math.min(...known), highest: Math.max(...known) };
}
