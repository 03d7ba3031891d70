import type { SeriesPoint } from '@headrace/contract/series';
import type { MetricKind } from '@headrace/device/metric-row';
import type { Rollup } from './rollup-query.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { extremesOfValid, meanOfValid } from './row-values.ts';

/** More than any sensor has; sums of fractions leave some behind. */
const DIGITS = 9;
/** Up to 10 ** 22 these are exact; with others the number nearest to a decimal is missed. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** To so many significant digits, by arithmetic: by way of text a month's chart takes three times as long. Null for what is no number. */
function tidy(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  if (value === 0) return 0;
  const decimals = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  const power = POWERS_OF_TEN[Math.abs(decimals)];
  if (power === undefined) return Number(value.toPrecision(DIGITS));
  return decimals < 0 ? Math.round(value / power) * power : Math.round(value * power) / power;
}

/** What readings, hours or days of one metric say of it, each by its kind: see `MetricKind`. */
export function seriesPoints(
  kind: MetricKind,
  rows: readonly Rollup[],
  canBe: (value: number) => boolean,
): SeriesPoint[] {
  return rows.map((row) => {
    const { value, lowest, highest } = pointValues(kind, row, canBe);
    return { time: isoTime(row.at), value: tidy(value), lowest: tidy(lowest), highest: tidy(highest) };
  });
}

type PointValues = Record<'value' | 'lowest' | 'highest', number | null>;
const alone = (value: number | null): PointValues => ({ value, lowest: null, highest: null });

function pointValues(kind: MetricKind, row: Rollup, canBe: (value: number) => boolean): PointValues {
  switch (kind) {
    case 'counter':
      return alone(row.rises);
    case 'delta':
      return alone(row.sum);
    case 'state':
    case 'setting':
      // Of an hour or day the one that it ended in: half on is no state.
      return alone(canBe(row.lastValue) ? row.lastValue : null);
    case 'rate':
    case 'gauge': {
      const extremes = extremesOfValid(row, canBe);
      const mean = kind === 'rate' ? meanOverTime(row, canBe) : meanOfValid(row, canBe);
      return { value: mean, lowest: extremes?.lowest ?? null, highest: extremes?.highest ?? null };
    }
    default:
      return kind satisfies never;
  }
}

/** By the time that is known of, where it is: a rate that is told more often while it is high isn't higher for it. */
function meanOverTime(row: Rollup, canBe: (value: number) => boolean): number | null {
  const { area, coveredMin } = row;
  const isKnown = area !== null && coveredMin !== null && coveredMin > 0;
  return isKnown && canBe(row.min) && canBe(row.max) ? area / coveredMin : meanOfValid(row, canBe);
}
