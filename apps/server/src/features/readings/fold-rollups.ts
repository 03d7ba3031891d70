import type { Timezone } from '@headrace/contract/farms';
import { counterDelta } from '@headrace/contract/rules/counter';
import { bucketStart, type Span } from './buckets.ts';

export interface Series {
  readonly farmId: number;
  readonly id: number;
  /** A running total that only grows until it rolls over or restarts. */
  readonly isCounter: boolean;
  /** Where a running total begins anew, when the device says so. */
  readonly wrapAt?: number | null;
  readonly zone: Timezone;
}

export interface SeriesReading {
  readonly series: Series;
  /** When it was taken, epoch ms. */
  readonly at: number;
  /** null: the sensor said that it had no valid value. */
  readonly value: number | null;
}

/** A row of `latest`; times in epoch ms, null as long as there is none. */
export interface LatestState {
  at: number | null;
  value: number | null;
  validAt: number | null;
  validValue: number | null;
}

/** What a bucket gains; times in epoch ms. */
export interface BucketGain {
  readonly series: Series;
  readonly start: number;
  n: number;
  min: number;
  max: number;
  sum: number;
  falls: number;
  rises: number;
  readonly firstAt: number;
  readonly firstValue: number;
  lastAt: number;
  lastValue: number;
}

export interface Fold {
  /** Latest rows that changed, in the order of the readings. */
  latest: { series: Series; state: LatestState }[];
  hour: BucketGain[];
  day: BucketGain[];
  /** Valid readings from before the newest valid one: their buckets, and their successors', can't be added to. */
  late: SeriesReading[];
}

/** How far a valid reading is below or above the valid one before it. A counter has no falls, only what it counted since. */
export function stepBetween(
  before: number | null,
  value: number,
  { isCounter, wrapAt = null }: Pick<Series, 'isCounter' | 'wrapAt'>,
): { fall: number; rise: number } {
  if (before === null) return { fall: 0, rise: 0 };
  if (isCounter) return { fall: 0, rise: counterDelta(before, value, { wrapAt }) };
  return { fall: Math.max(0, before - value), rise: Math.max(0, value - before) };
}

/**
 * What readings that were really inserted, sorted by series and time, change in `latest` and the rollups, given the latest
 * rows as they were. Invalid readings count in neither rollup and leave the last valid value as it is.
 */
export function foldReadings(
  inserted: readonly SeriesReading[],
  before: ReadonlyMap<number, LatestState>,
): Fold {
  const fold: Fold = { latest: [], hour: [], day: [], late: [] };
  let current: { series: Series; state: LatestState } | undefined;
  for (const reading of inserted) {
    if (current?.series.id !== reading.series.id) {
      const state = before.get(reading.series.id);
      current = { series: reading.series, state: { ...(state ?? none) } };
      fold.latest.push(current);
    }
    takeIn(fold, current.state, reading);
  }
  fold.latest = fold.latest.filter(({ series, state }) => isChanged(before.get(series.id), state));
  return fold;
}

const none: LatestState = { at: null, value: null, validAt: null, validValue: null };

function takeIn(fold: Fold, state: LatestState, reading: SeriesReading): void {
  const { at, value, series } = reading;
  if (state.at === null || at > state.at) {
    state.at = at;
    state.value = value;
  }
  if (value === null) return;
  if (state.validAt !== null && at < state.validAt) {
    fold.late.push(reading);
    return;
  }
  const step = stepBetween(state.validValue, value, series);
  gain(fold, 'hour', reading, value, step);
  gain(fold, 'day', reading, value, step);
  state.validAt = at;
  state.validValue = value;
}

function gain(
  fold: Fold,
  span: Span,
  { series, at }: SeriesReading,
  value: number,
  step: { fall: number; rise: number },
): void {
  const start = bucketStart(series.zone, span, at);
  const bucket = fold[span].at(-1);
  if (bucket?.series.id !== series.id || bucket.start !== start) {
    fold[span].push({
      series,
      start,
      n: 1,
      min: value,
      max: value,
      sum: value,
      falls: step.fall,
      rises: step.rise,
      firstAt: at,
      firstValue: value,
      lastAt: at,
      lastValue: value,
    });
    return;
  }
  bucket.n += 1;
  bucket.min = Math.min(bucket.min, value);
  bucket.max = Math.max(bucket.max, value);
  bucket.sum += value;
  bucket.falls += step.fall;
  bucket.rises += step.rise;
  bucket.lastAt = at;
  bucket.lastValue = value;
}

function isChanged(before: LatestState | undefined, after: LatestState): boolean {
  return before === undefined || before.at !== after.at || before.validAt !== after.validAt;
}
