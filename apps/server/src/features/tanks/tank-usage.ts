import type { SensorSettings } from '@headrace/contract/sensors';
import { isValidLevel, litresOfFall, type TankShape } from '@headrace/contract/rules/tank';
import { emptySeries, type Rollup, type RollupSeries } from './rollup-query.ts';

/** Litres in the hour or day that starts at `at`; its first and last reading. Epoch ms. */
export interface Amount {
  at: number;
  litres: number;
  firstAt: number;
  lastAt: number;
}

/** Hours or days of one meter: its running total, its increments since the message before, or both. */
export interface PulseSeries {
  total: RollupSeries;
  increments: RollupSeries;
}

export const litrePerPulse = (settings: SensorSettings): number => settings.litrePerPulse ?? 1;

/**
 * Litres that left the tank, by the falls of its level; rises don't count. Hours and days in which nothing can be said,
 * because the sensor reported levels that can't be, are left out.
 */
export const litresByFalls = (shape: TankShape, { rows }: RollupSeries): Amount[] =>
  rows.flatMap((row) => {
    const mm = fallOf(shape, row);
    const { at, firstAt, lastAt } = row;
    return mm === null ? [] : { at, litres: litresOfFall(shape, mm), firstAt, lastAt };
  });

/** Where a level that can't be lies in it still, since raw readings are gone, only the net fall is left to go by. */
function fallOf(shape: TankShape, row: Rollup): number | null {
  if (isValidLevel(shape, row.min) && isValidLevel(shape, row.max)) return row.falls;
  if (!isValidLevel(shape, row.firstValue) || !isValidLevel(shape, row.lastValue)) return null;
  return Math.max(0, row.firstValue - row.lastValue);
}

/** Litres that went through a meter. The running total is preferred where there is one: it misses no lost message. */
export function litresByPulses(litrePerPulse: number, { total, increments }: PulseSeries): Amount[] {
  return mergeRows(total, increments).flatMap(({ at, total, increment }) => {
    const counted = total ?? increment;
    if (!counted) return [];
    const { rises, sum, firstAt, lastAt } = counted.row;
    return { at, litres: litrePerPulse * (total ? rises : sum), firstAt, lastAt };
  });
}

/** Mean flow over the time since the reading before, L/min, as far as that time is known. */
export function flowByPulses(
  litrePerPulse: number,
  series: PulseSeries,
): { at: number; litrePerMinute: number }[] {
  return mergeRows(series.total, series.increments).flatMap(({ at, total, increment }) => {
    const counted = total ?? increment;
    if (!counted) return [];
    const { row, before } = counted;
    const since = before?.lastAt ?? (total ? row.firstAt : null);
    if (since === null || row.lastAt <= since) return [];
    const pulses = total ? row.rises : row.sum;
    return { at, litrePerMinute: (litrePerPulse * pulses * 60_000) / (row.lastAt - since) };
  });
}

interface Counted {
  row: Rollup;
  before: Rollup | null;
}
interface MergedRow {
  at: number;
  total: Counted | undefined;
  increment: Counted | undefined;
}

function mergeRows(total: RollupSeries = emptySeries, increments: RollupSeries = emptySeries): MergedRow[] {
  const totals = byStart(total);
  const added = byStart(increments);
  return [...new Set([...totals.keys(), ...added.keys()])]
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, total: totals.get(at), increment: added.get(at) }));
}

function byStart({ before, rows }: RollupSeries): Map<number, Counted> {
  return new Map(rows.map((row, index) => [row.at, { row, before: rows[index - 1] ?? before }]));
}
