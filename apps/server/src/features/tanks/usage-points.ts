import type { Timezone } from '@headrace/contract/farms';
import type { UsagePoint } from '@headrace/contract/tanks';
import { bucketRange } from '../series/buckets.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { rounded } from '../series/row-values.ts';
import type { Span } from '../series/rollup-query.ts';
import type { Amount } from './tank-usage.ts';

const MINUTE = 60_000;

/** Litres, and the same over the real length of the hour or day: 23 or 25 hours where clocks change, up to now for the one under way. */
export function usagePoints(
  zone: Timezone,
  span: Span,
  amounts: readonly Amount[],
  now: number,
): UsagePoint[] {
  return amounts.map(({ at, litres, firstAt, isShared, source }) => {
    const { from, to } = bucketRange(zone, span, firstAt);
    const minutes = Math.max(1, (Math.min(to, now) - from) / MINUTE);
    return {
      time: isoTime(at),
      litreValue: rounded(litres),
      avgLitrePerMinute: rounded(litres / minutes),
      source,
      generated: isShared,
    };
  });
}
