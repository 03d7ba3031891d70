import type { Timezone } from '@headrace/contract/farms';
import { dayStart, hourStart } from '@headrace/contract/rules/farm-time';

export type Span = 'hour' | 'day';

export interface BucketRange {
  /** Names the bucket: start of the farm's hour or day, epoch ms. */
  start: number;
  /** Readings with from <= at < to are in it, epoch ms. */
  from: number;
  to: number;
}

const LENGTH = { hour: 3_600_000, day: 86_400_000 } as const;
/** Offsets of zones are multiples of 15 minutes, so no bucket begins or ends in between. */
const STEP_MS = 900_000;

export function bucketStart(zone: Timezone, span: Span, at: number): number {
  return span === 'hour' ? hourStart(zone, at) : dayStart(zone, at);
}

/**
 * The bucket that holds `at`. On the night of a clock change its readings don't always fill one hour or 24 from its
 * start (Lord Howe moves by half an hour), so the borders are looked up rather than added.
 */
export function bucketRange(zone: Timezone, span: Span, at: number): BucketRange {
  const start = bucketStart(zone, span, at);
  const isInside = (time: number) => bucketStart(zone, span, time) === start;
  const usualEnd = start + LENGTH[span];
  const isUsual = isInside(start) && !isInside(start - 1) && isInside(usualEnd - 1) && !isInside(usualEnd);
  if (isUsual) return { start, from: start, to: usualEnd };
  let from = Math.floor(at / STEP_MS) * STEP_MS;
  let to = from + STEP_MS;
  while (isInside(from - STEP_MS)) from -= STEP_MS;
  while (isInside(to)) to += STEP_MS;
  return { start, from, to };
}

/** `bucketRange` for moments that come in order, mostly many of one bucket: its borders are looked up once. */
export function bucketsInOrder(zone: Timezone, span: Span): (at: number) => BucketRange {
  let last: BucketRange | undefined;
  return (at) => (last && at >= last.from && at < last.to ? last : (last = bucketRange(zone, span, at)));
}
