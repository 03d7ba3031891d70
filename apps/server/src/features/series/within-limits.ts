import { isWithin, type Limits } from '@headrace/contract/rules/within';
import type { Db } from '../../db/client.ts';
import { stepBetween } from './step-between.ts';
import { lastGood, reckonAgain } from './good-readings.ts';
import type { Rollup, RollupQuery, RollupSeries } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';

/**
 * The most that one call calculates again, newest first: a year of a sensor that reports each minute and has a fault on every day, in
 * about 0.3 s. Rows beyond keep what is stored, with the last or first good reading as their mean.
 */
const MOST = { rows: 10_000, readings: 600_000 } as const;

/**
 * Hours and days without impossible readings. Rollups are stored without checking limits, so rows that hold an impossible reading
 * among good ones are calculated again from raw history, all in one query. A row without any good reading gets n = 0 and NaN as
 * values. Where raw readings are no longer kept, a row stays as it was stored.
 */
export async function withinLimits(
  db: Db,
  { span, farmId }: Pick<RollupQuery, 'span' | 'farmId'>,
  wanted: readonly WantedSeries[],
  found: ReadonlyMap<number, RollupSeries>,
): Promise<ReadonlyMap<number, RollupSeries>> {
  const limited = wanted.flatMap(({ id, limits }) => {
    const series = found.get(id);
    return limits && series && isTouched(limits, series) ? [{ id, limits, series }] : [];
  });
  if (limited.length === 0) return found;
  const mixed = limited.flatMap(({ id, limits, series }) =>
    series.rows
      .filter((row) => !isClean(limits, row) && !isHopeless(limits, row))
      .map(({ at, n }) => ({ seriesId: id, at, limits, n })),
  );
  const fromBad = limited.flatMap(({ id, limits, series: { before } }) =>
    before && !isWithin(limits, before.lastValue) ? [{ seriesId: id, at: before.lastAt, limits }] : [],
  );
  const [reckoned, good] = await Promise.all([
    reckonAgain(db, { span, farmId }, newest(mixed)),
    lastGood(db, farmId, fromBad),
  ]);
  const mended = new Map(found);
  for (const { id, limits, series } of limited) {
    const { before: stored } = series;
    const before = stored && !isWithin(limits, stored.lastValue) ? (good.get(id) ?? null) : stored;
    mended.set(id, {
      ...series,
      before,
      rows: withoutFaults(limits, series, before, (at) => reckoned(id, at)),
    });
  }
  return mended;
}

const isTouched = (limits: Limits, { before, rows }: RollupSeries) =>
  (before !== null && !isWithin(limits, before.lastValue)) || rows.some((row) => !isClean(limits, row));

const isClean = (limits: Limits, { min, max, falls }: Rollup) =>
  isWithin(limits, min) && isWithin(limits, max) && !Number.isNaN(falls);

/** Nothing in it can be: no need to look. */
const isHopeless = (limits: Limits, { min, max }: Rollup) => min > limits.max || max < limits.min;

function newest<T extends { at: number; n: number }>(rows: readonly T[]): T[] {
  let readings = 0;
  return rows
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST.rows)
    .filter(({ n }) => (readings += n) <= MOST.readings);
}

/** Falls and rises of reckoned rows begin with their first reading: here they get the step to it from the good one before. */
function withoutFaults(
  limits: Limits,
  stored: RollupSeries,
  before: Rollup | null,
  reckoned: (at: number) => Rollup | undefined,
): Rollup[] {
  let previous = stored.before;
  let good = before?.lastValue ?? null;
  return stored.rows.map((row) => {
    const from = previous;
    previous = row;
    const again = isHopeless(limits, row) ? noneOf(row) : reckoned(row.at);
    if (again?.n === 0) return again;
    let mended = row;
    if (again) mended = plusStep(again, good, 1);
    else if (isClean(limits, row) && from && !isWithin(limits, from.lastValue))
      mended = plusStep(plusStep(row, from.lastValue, -1), good, 1);
    good = isWithin(limits, mended.lastValue) ? mended.lastValue : null;
    return mended;
  });
}

const noneOf = (row: Rollup): Rollup => ({
  ...row,
  n: 0,
  min: Number.NaN,
  max: Number.NaN,
  sum: Number.NaN,
  falls: 0,
  rises: 0,
  firstValue: Number.NaN,
  lastValue: Number.NaN,
});

/** With the step from a reading to the row's first one (1), or without it (-1). */
function plusStep(row: Rollup, from: number | null, sign: 1 | -1): Rollup {
  const { fall, rise } = stepBetween(from, row.firstValue, { isCounter: false });
  return {
    ...row,
    falls: Math.max(0, row.falls + sign * fall),
    rises: Math.max(0, row.rises + sign * rise),
  };
}
