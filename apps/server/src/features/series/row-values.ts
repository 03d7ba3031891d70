import type { Rollup } from './rollup-query.ts';

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
