import { counterDelta } from '@headrace/contract/rules/counter';
import { isValidFlow } from '@headrace/contract/rules/flow';
import { heldStretches, type Sample, type Stretch } from '@headrace/contract/rules/stretches';
import { wrapOf } from '@headrace/device/field-mapping';
import { meanOfValid } from '../series/row-values.ts';
import type { Rollup, RollupSeries } from '../series/rollup-query.ts';
import { litrePerCount, measuredFlow, type Meter, type MeterMetric, type MeterSeries } from './meter.ts';

const MINUTE = 60_000;

/** Litres of a stretch, with the row that its end lies in. */
export interface OwnedStretch extends Stretch {
  owner: Rollup;
}

export interface MeterSource {
  rows: readonly Rollup[];
  stretches: OwnedStretch[];
  /** Its own peak, L/min; null where it isn't known. */
  peakOf: (row: Rollup) => number | null;
  /** What a row says where no time is known of it, L/min. */
  momentOf: (row: Rollup) => number | null;
  /** None of what it said can be. */
  isInvalid: (row: Rollup) => boolean;
}

/** What a counter or deltas tell: each step lies evenly between the two readings that it is between. */
export function countedSource(meter: Meter, metric: MeterMetric, series: MeterSeries): MeterSource {
  const isTotal = metric === 'pulsesTotal' || metric === 'volumeTotalL';
  const { before, rows, after } = series(metric);
  const litres = litrePerCount(meter, metric);
  const wrapAt = wrapOf(meter.mapping, metric);
  const stretches: OwnedStretch[] = [];
  const add = (from: number, to: number, amount: number, owner: Rollup) => {
    if (to > from) stretches.push({ from, to, amount, knownMs: to - from, owner });
  };
  let previous = before;
  for (const row of withAfter(rows, after)) {
    const step = isTotal ? previous && stepTo(row, previous, wrapAt) : row.firstValue;
    // Since when the first message of all counted isn't known.
    if (previous && step !== null) add(previous.lastAt, row.firstAt, step * litres, row);
    const inside = (isTotal ? row.rises : row.sum) - (step ?? 0);
    if (row !== after) add(row.firstAt, row.lastAt, Math.max(0, inside) * litres, row);
    previous = row;
  }
  return {
    rows,
    stretches,
    peakOf: ({ fastest }) => (fastest === null ? null : fastest * litres),
    momentOf: () => null,
    isInvalid: () => false,
  };
}

/** What a total counted until the row's first reading: no more than the row has in all, where it fell and came back, and all of it where it is the only one. */
function stepTo(row: Rollup, previous: Rollup, wrapAt: number | null): number {
  if (row.firstAt === row.lastAt) return row.rises;
  return Math.min(counterDelta(previous.lastValue, row.firstValue, { wrapAt }), row.rises);
}

/** What a flow that is told amounts to over time. */
export function flowSource(meter: Meter, { before, rows, after }: RollupSeries): MeterSource {
  const stretches: OwnedStretch[] = [];
  let previous = before && sampleAt(meter, before.lastAt, before.lastValue);
  for (const row of withAfter(rows, after)) {
    if (row.n === 0) continue;
    const first = sampleAt(meter, row.firstAt, row.firstValue);
    if (previous && first)
      stretches.push(...heldStretches(previous, first).map((stretch) => ({ ...stretch, owner: row })));
    if (row !== after && row.lastAt > row.firstAt) stretches.push({ ...insideOf(meter, row), owner: row });
    previous = sampleAt(meter, row.lastAt, row.lastValue) ?? previous;
  }
  const momentOf = (row: Rollup) => {
    const mean = meanOfValid(row, isValidFlow);
    return mean === null ? null : measuredFlow(meter, mean);
  };
  return {
    rows,
    stretches,
    peakOf: ({ max }) => (isValidFlow(max) ? measuredFlow(meter, max) : null),
    momentOf,
    isInvalid: (row) => momentOf(row) === null,
  };
}

const withAfter = (rows: readonly Rollup[], after: Rollup | null) => (after ? [...rows, after] : rows);

const sampleAt = (meter: Meter, at: number, value: number): Sample | null =>
  isValidFlow(value) ? { at, value: measuredFlow(meter, value) } : null;

/** From its first to its last reading. Stored before that was kept, and without raw readings: their mean stands for it. */
function insideOf(meter: Meter, row: Rollup): Stretch {
  const { firstAt: from, lastAt: to, area, coveredMin } = row;
  const isKept = area !== null && coveredMin !== null && isValidFlow(row.min) && isValidFlow(row.max);
  const minutes = isKept ? coveredMin : (to - from) / MINUTE;
  const mean = isKept && minutes > 0 ? area / minutes : meanOfValid(row, isValidFlow);
  if (mean === null) return { from, to, amount: 0, knownMs: 0 };
  return { from, to, amount: measuredFlow(meter, mean) * minutes, knownMs: minutes * MINUTE };
}
