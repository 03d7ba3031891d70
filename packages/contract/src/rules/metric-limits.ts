import { metricInfo } from '@headrace/device/metrics';
import { isWithin, type Limits } from './within.ts';

/**
 * What a device can measure, in the metric's unit; null: any number can be, as of a value that a mapping names itself. Of a tank's
 * level ask `levelLimits`.
 */
export const metricLimits = (metric: string): Limits | null => metricInfo(metric)?.limits ?? null;

/** The value, or null where it can't be what its device measured. */
export function possibleValue(metric: string, value: number | null): number | null {
  const most = metricLimits(metric);
  return most === null || isWithin(most, value) ? value : null;
}

/** Whether a number can be what its device measured; NaN stands for a reading that was none. */
export const isPossible =
  (metric: string) =>
  (value: number): boolean =>
    Number.isFinite(value) && possibleValue(metric, value) !== null;
