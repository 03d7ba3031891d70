import type { Timezone } from '@headrace/contract/farms';
import { stepBetween } from '../series/step-between.ts';
import { spokenMinutes } from '@headrace/contract/rules/stretches';
import { metricInfo } from '@headrace/device/metrics';
import { bucketStart, type Span } from '../series/buckets.ts';

export interface Series {
  readonly farmId: number;
  readonly id: number;
  /** A running total that only grows until it rolls over or restarts. */
  readonly isCounter: boolean;
  /** An amount since the message before. */
  readonly isDelta?: boolean;
  /** An amount per minute, at a moment. */
  readonly isRate?: boolean;
  /** Where a running total begins anew, when the device says so. */
  readonly wrapAt?: number | null;
  readonly zone: Timezone;
}

export function kindOf(metric: string): Pick<Series, 'isCounter' | 'isDelta' | 'isRate'> {
  const kind = metricInfo(metric)?.kind;
  return { isCounter: kind === 'counter', isDelta: kind === 'delta', isRate: kind === 'rate' };
}

export interface SeriesReading {
  readonly series: Series;
  /** When it was taken, epoch ms. */
  readonly at: number;
  /** null: the sensor said that it had no valid value. */
  readonly value: number | null;
  /** When it was received, epoch ms; absent: not before it was taken. */
  readonly receivedAt?: number;
}

/**
 * A row of `latest`; times in epoch ms, null as long as there is none. What is shown (`at`, `value`) was taken last as far as
 * one can know: a reading ahead of the clock was taken when it was received at the latest, so one received after it stands
 * before it. What the next reading counts from (`validAt`, `validValue`) goes by the devices' own times alone.
 */
export interface LatestState {
  at: number | null;
  value: number | null;
  /** When it was received, where that was before `at`. */
  heardAt: number | null;
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
  /** See RollupTable: null of what isn't a rate. */
  area: number | null;
  coveredMin: number | null;
  /** Null of what doesn't count, and where nothing is known before it. */
  fastest: number | null;
}

export interface Fold {
  /** Latest rows that changed, in the order of the readings. */
  latest: { series: Series; state: LatestState }[];
  hour: BucketGain[];
  day: BucketGain[];
  /** Valid readings from before the newest valid one: their buckets, and their successors', can't be added to. */
  late: SeriesReading[];
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

const heardAtOf = ({ at, receivedAt = at }: SeriesReading) => (receivedAt < at ? receivedAt : null);

/** Of two that can both have been taken at the same moment the one that its device says is later. */
function isShown(state: LatestState, reading: SeriesReading): boolean {
  if (state.at === null) return true;
  const gained = (heardAtOf(reading) ?? reading.at) - (state.heardAt ?? state.at);
  return gained > 0 || (gained === 0 && reading.at > state.at);
}

const none: LatestState = { at: null, value: null, heardAt: null, validAt: null, validValue: null };

function takeIn(fold: Fold, state: LatestState, reading: SeriesReading): void {
  const { at, value, series } = reading;
  if (isShown(state, reading)) {
    state.at = at;
    state.value = value;
    state.heardAt = heardAtOf(reading);
  }
  if (value === null) return;
  if (state.validAt !== null && at < state.validAt) {
    fold.late.push(reading);
    return;
  }
  const before =
    state.validAt === null || state.validValue === null
      ? null
      : { at: state.validAt, value: state.validValue };
  const step = { ...stepBetween(state.validValue, value, series), before };
  gain(fold, 'hour', reading, value, step);
  gain(fold, 'day', reading, value, step);
  state.validAt = at;
  state.validValue = value;
}

/** From the valid reading before; null: there is none. */
interface Step {
  fall: number;
  rise: number;
  before: { at: number; value: number } | null;
}

const MINUTE = 60_000;

/** Never below zero: a count that begins anew below it went no way. Of less than a minute a count tells no pace. */
function paceOf(
  { isCounter, isDelta }: Series,
  at: number,
  value: number,
  { rise, before }: Step,
): number | null {
  if (before === null || !(isCounter || isDelta)) return null;
  return Math.max(0, isCounter ? rise : value) / Math.max(1, (at - before.at) / MINUTE);
}

/** What a rate amounts to since the reading before, where that lies in the same hour or day; else that is told when it is read. */
function areaOf({ isRate, zone }: Series, span: Span, at: number, value: number, { before }: Step) {
  if (!isRate) return { area: null, coveredMin: null };
  if (before === null || bucketStart(zone, span, before.at) !== bucketStart(zone, span, at))
    return { area: 0, coveredMin: 0 };
  const minutes = spokenMinutes(before.at, at);
  return { area: ((before.value + value) / 2) * minutes, coveredMin: minutes };
}

function gain(fold: Fold, span: Span, { series, at }: SeriesReading, value: number, step: Step): void {
  const start = bucketStart(series.zone, span, at);
  const { area, coveredMin } = areaOf(series, span, at, value, step);
  const fastest = paceOf(series, at, value, step);
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
      area,
      coveredMin,
      fastest,
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
  if (area !== null) bucket.area = (bucket.area ?? 0) + area;
  if (coveredMin !== null) bucket.coveredMin = (bucket.coveredMin ?? 0) + coveredMin;
  if (fastest !== null) bucket.fastest = Math.max(bucket.fastest ?? 0, fastest);
}

function isChanged(before: LatestState | undefined, after: LatestState): boolean {
  return (
    before === undefined ||
    before.at !== after.at ||
    before.heardAt !== after.heardAt ||
    before.validAt !== after.validAt
  );
}
