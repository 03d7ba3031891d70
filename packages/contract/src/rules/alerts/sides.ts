import type { Side } from './alert-life.ts';

export interface Limit {
  readonly condition: 'above' | 'below';
  readonly value: number;
  /** Where it is over. */
  readonly clearValue: number;
}

/** On which side of an alert's limit a value is. Equal to the limit is not beyond it; equal to the end value is over. */
export function sideOf({ condition, value, clearValue }: Limit, now: number | null): Side {
  if (now === null || !Number.isFinite(now)) return 'unknown';
  const sign = condition === 'above' ? 1 : -1;
  if (sign * now > sign * value) return 'in';
  return sign * now <= sign * clearValue ? 'out' : 'between';
}
