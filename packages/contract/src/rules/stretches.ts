import { FLOW_SPEAKS_MS } from '../limits.ts';

/** An amount between two moments (epoch ms), even over that part of the time of which something is known, ms. Its unit is the caller's. */
export interface Stretch {
  from: number;
  to: number;
  amount: number;
  knownMs: number;
}

/** A value at a moment, epoch ms. */
export interface Sample {
  at: number;
  value: number;
}

const MINUTE = 60_000;

/** How much of the time between two readings of a rate they speak for, min. */
export const spokenMinutes = (beforeAt: number, afterAt: number): number =>
  Math.min(afterAt - beforeAt, 2 * FLOW_SPEAKS_MS) / MINUTE;

/**
 * What a rate amounts to between two of its readings, in its unit times minutes: each speaks for half of the time between
 * them, and for an hour and a half at most. How often a meter reports makes no difference to it.
 */
export function heldStretches(before: Sample, after: Sample): Stretch[] {
  const heldMs = (spokenMinutes(before.at, after.at) * MINUTE) / 2;
  if (heldMs <= 0) return [];
  const amountOf = ({ value }: Sample) => (value * heldMs) / MINUTE;
  return [
    { from: before.at, to: before.at + heldMs, amount: amountOf(before), knownMs: heldMs },
    { from: after.at - heldMs, to: after.at, amount: amountOf(after), knownMs: heldMs },
  ];
}

/** An hour or day: `start` names it, and it holds the moments from <= at < to. Epoch ms. */
export interface Bucket {
  start: number;
  from: number;
  to: number;
}

export interface Share {
  amount: number;
  knownMs: number;
}

/** What of a stretch lies in each hour or day that it touches, of those that start in [within.from, within.to): by time. */
export function sharesOf(
  stretch: Stretch,
  bucketAt: (at: number) => Bucket,
  within: { from: number; to: number },
): { bucket: Bucket; share: Share }[] {
  const { from, to, amount, knownMs } = stretch;
  const isIn = ({ start }: Bucket) => start >= within.from && start < within.to;
  const shares: { bucket: Bucket; share: Share }[] = [];
  for (let at = Math.max(from, within.from); at < to; ) {
    const bucket = bucketAt(at);
    if (bucket.start >= within.to) break;
    const part = (Math.min(to, bucket.to) - Math.max(from, bucket.from)) / (to - from);
    if (isIn(bucket)) shares.push({ bucket, share: { amount: amount * part, knownMs: knownMs * part } });
    at = bucket.to;
  }
  return shares;
}

/** The part of a stretch that lies between two moments; null: none. */
export function clipped(stretch: Stretch, range: { from: number; to: number }): Stretch | null {
  const from = Math.max(stretch.from, range.from);
  const to = Math.min(stretch.to, range.to);
  if (to <= from) return null;
  const part = (to - from) / (stretch.to - stretch.from);
  return { from, to, amount: stretch.amount * part, knownMs: stretch.knownMs * part };
}
