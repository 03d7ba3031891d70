import type { Timezone } from '@headrace/contract/farms';
import { isValidFlow } from '@headrace/contract/rules/flow';
import { type Bucket, clipped, type Share, sharesOf } from '@headrace/contract/rules/stretches';
import { bucketsInOrder } from '../series/buckets.ts';
import type { Range, Rollup, Span } from '../series/rollup-query.ts';
import { type Meter, type MeterSeries, registers } from './meter.ts';
import { countedSource, flowSource, type MeterSource, type OwnedStretch } from './meter-stretches.ts';

const MINUTE = 60_000;

/** What went through a meter in an hour or day, or up to a reading from the one before. Times in epoch ms. */
export interface Metered {
  /** Its start. */
  at: number;
  /** Null: nothing is known of any time in it. */
  litres: number | null;
  /** So much of its time is known of. Litres are the mean flow times this. */
  minutes: number;
  /** Mean over these minutes; of none the mean of what was read. Null: what was said can't be. */
  litrePerMinute: number | null;
  /** The most that flowed: read, or counted from one reading to the next; null: not known. */
  peak: number | null;
  /** Something was said that can't be. */
  isInvalid: boolean;
  /** No reading lies in it: it has its share of what was counted or flowed over a longer time. */
  isShared: boolean;
  firstAt: number;
  lastAt: number;
}

/** Whole hours or days of a farm in a range, or each reading by itself. */
export type Cut = { span: Span; zone: Timezone; range: Range } | 'reading';

/**
 * What went through a meter by reading, hour or day, oldest first: by what it counted, where it counts; else by the flow that it
 * told, weighted by time. No entry for what nothing is known of, a zero where nothing flowed.
 */
export function metered(meter: Meter, series: MeterSeries, cut: Cut): Metered[] {
  const found = new Map<number, Metered>();
  for (const source of sourcesOf(meter, series))
    for (const one of inBuckets(source, cut)) {
      const better = found.get(one.at);
      if (!better || (better.minutes === 0 && better.litrePerMinute === null)) found.set(one.at, one);
    }
  return [...found.values()].toSorted((a, b) => a.at - b.at);
}

/** Litres from one moment to another (epoch ms), by the first source that knows of that time, with the last moment known of. */
export function litresBetween(
  meter: Meter,
  series: MeterSeries,
  range: Range,
): { litres: number; lastAt: number } | null {
  for (const { stretches } of sourcesOf(meter, series)) {
    const parts = stretches.filter(canBe).flatMap((stretch) => clipped(stretch, range) ?? []);
    if (parts.length === 0) continue;
    const litres = parts.reduce((sum, { amount }) => sum + amount, 0);
    return { litres, lastAt: Math.max(...parts.map(({ to }) => to)) };
  }
  return null;
}

/** Steps of equal length from `from` on, epoch ms. */
export interface Steps {
  readonly from: number;
  readonly stepMs: number;
  readonly steps: number;
}

/** Mean flow in each step, L/s, by the surest source that knows of any of its time; null: nothing is known of it. */
export function flowInSteps(meter: Meter, series: MeterSeries, cut: Steps): (number | null)[] {
  const { from, stepMs, steps } = cut;
  const flow = Array<number | null>(steps).fill(null);
  const range = { from, to: from + steps * stepMs };
  const stepAt = (at: number) => {
    const start = from + Math.floor((at - from) / stepMs) * stepMs;
    return { start, from: start, to: start + stepMs };
  };
  for (const { stretches } of sourcesOf(meter, series)) {
    const known = new Map<number, Share>();
    for (const stretch of stretches.filter(canBe))
      for (const { bucket, share } of sharesOf(stretch, stepAt, range)) {
        const sum = known.get(bucket.start) ?? { amount: 0, knownMs: 0 };
        known.set(bucket.start, { amount: sum.amount + share.amount, knownMs: sum.knownMs + share.knownMs });
      }
    for (const [start, { amount, knownMs }] of known)
      if (knownMs > 0) flow[(start - from) / stepMs] ??= (amount * 1000) / knownMs;
  }
  return flow;
}

/** The surest first: running totals miss no lost message, and what was counted is surer than a flow at a moment. */
function sourcesOf(meter: Meter, series: MeterSeries): MeterSource[] {
  const counted = registers
    .flatMap(({ total, deltas }) => [total, deltas])
    .map((metric) => countedSource(meter, metric, series));
  return [...counted, flowSource(meter, series('flowLpm'))];
}

/** A counter that can't have counted so much in that time is another one's, after a swap. */
const canBe = ({ amount, knownMs }: OwnedStretch) =>
  knownMs === 0 || isValidFlow((amount * MINUTE) / knownMs);

function inBuckets({ stretches, rows, peakOf, momentOf, isInvalid }: MeterSource, cut: Cut): Metered[] {
  const found = new Map<number, Metered>();
  const byStart = new Map(rows.map((row) => [row.at, row]));
  const place = placeOf(cut, rows);
  for (const row of rows)
    found.set(row.at, { ...emptyOf(row, peakOf(row), row.n === 0), isInvalid: isInvalid(row) });
  for (const stretch of stretches)
    for (const { bucket, share } of place(stretch)) {
      const one =
        found.get(bucket.start) ?? emptyOf({ ...spanOf(bucket, stretch), at: bucket.start }, null, true);
      found.set(bucket.start, one);
      if (canBe(stretch)) addTo(one, share);
      else one.isInvalid = true;
      if (one.isShared) one.lastAt = spanOf(bucket, stretch).lastAt;
    }
  for (const one of found.values()) {
    const row = byStart.get(one.at);
    const moment = row ? momentOf(row) : null;
    const mean = one.minutes > 0 ? (one.litres ?? 0) / one.minutes : null;
    one.litrePerMinute = (cut === 'reading' ? moment : mean) ?? mean ?? moment;
  }
  return [...found.values()];
}

function addTo(one: Metered, { amount, knownMs }: Share): void {
  one.litres = (one.litres ?? 0) + amount;
  one.minutes += knownMs / MINUTE;
}

/** Where each stretch belongs; they are asked for in order. */
function placeOf(cut: Cut, rows: readonly Rollup[]) {
  if (cut === 'reading') return (stretch: OwnedStretch) => ofReading(stretch, rows);
  const bucketAt = bucketsInOrder(cut.zone, cut.span);
  return (stretch: OwnedStretch) => sharesOf(stretch, bucketAt, cut.range);
}

/** A step belongs to the reading that it leads to; the one after the range isn't asked for. */
function ofReading({ owner, amount, knownMs }: OwnedStretch, rows: readonly Rollup[]) {
  if (owner.at > (rows.at(-1)?.at ?? -Infinity)) return [];
  return [{ bucket: { start: owner.at, from: owner.at, to: owner.at }, share: { amount, knownMs } }];
}

const spanOf = ({ from, to }: Bucket, stretch: OwnedStretch) => ({
  firstAt: Math.max(from, stretch.from),
  lastAt: Math.min(to, stretch.to),
});

const emptyOf = (
  { at, firstAt, lastAt }: Pick<Rollup, 'at' | 'firstAt' | 'lastAt'>,
  peak: number | null,
  isShared: boolean,
): Metered => ({
  at,
  litres: null,
  minutes: 0,
  litrePerMinute: null,
  peak,
  isInvalid: false,
  isShared,
  firstAt,
  lastAt,
});
