import { numberText, usefulDigits } from '../../ui/format.ts';
import type { SeriesNow } from './sensors.queries.ts';

type SeriesLook = Pick<SeriesNow, 'unit' | 'isBoolean' | 'digits'>;

/** "7.25 pH", "Yes"; a value that isn't known is said so. */
export function seriesValueText({ unit, isBoolean, digits }: SeriesLook, value: number | null): string {
  if (value === null) return 'Invalid value';
  if (isBoolean) return value > 0 ? 'Yes' : 'No';
  return `${numberText(value, usefulDigits(value, digits))} ${unit}`.trim();
}
