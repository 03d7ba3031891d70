import { isValidLevel, litresOfFall, type TankShape } from '@headrace/contract/rules/tank';
import type { LevelUse } from './level-use.ts';
import type { Rollup, RollupSeries } from '../series/rollup-query.ts';

/** A meter's running total, and its counts since the message before. */
export const pulseMetrics: readonly string[] = ['pulsesTotal', 'pulses'];

/** Litres in the hour or day that starts at `at`; its first and last reading. Epoch ms. */
export interface Amount {
  at: number;
  litres: number;
  firstAt: number;
  lastAt: number;
  /** No reading lies in it: its share of what was used over a longer time. */
  isShared: boolean;
  source: 'meter' | 'level';
}

/** Hours or days of one meter: its running total, its deltas since the message before, or both. */
export interface PulseSeries {
  total: RollupSeries;
  deltas: RollupSeries;
}

/**
 * Litres that left the tank, by its level; rises don't count. Hours and days of which the raw readings are gone, and that weren't
 * counted before, have the sum of their falls, noise and all; those in which nothing can be said are left out.
 */
export function litresByLevel(
  shape: TankShape,
  { rows }: RollupSeries,
  uses: readonly LevelUse[] = [],
): Amount[] {
  const counted = new Set(uses.map(({ at }) => at));
  const rest = rows.flatMap((row) => {
    const mm = counted.has(row.at) ? null : fallOf(shape, row);
    return mm === null ? [] : [{ ...row, fall: mm, isShared: false }];
  });
  return [...uses, ...rest]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, fall, firstAt, lastAt, isShared }) => ({
      at,
      litres: litresOfFall(shape, fall),
      firstAt,
      lastAt,
      isShared,
      source: 'level' as const,
    }));
}

/** Where a level that can't be lies in it still, since raw readings are gone, only the net fall is left to go by. */
function fallOf(shape: TankShape, row: Rollup): number | null {
  if (isValidLevel(shape, row.min) && isValidLevel(shape, row.max)) return row.falls;
  if (!isValidLevel(shape, row.firstValue) || !isValidLevel(shape, row.lastValue)) return null;
  return Math.max(0, row.firstValue - row.lastValue);
}

/** What went through the tank's meter, where some of the time is known of. */
export const usedByMeter = (
  counted: readonly (Omit<Amount, 'litres' | 'source'> & { litres: number | null })[],
): Amount[] =>
  counted.flatMap(({ at, litres, firstAt, lastAt, isShared }) =>
    litres === null ? [] : { at, litres, firstAt, lastAt, isShared, source: 'meter' as const },
  );

/** The hour or day in which a tank's meter began to count, where that isn't before the range; epoch ms, null: before it. */
export function meterBegan({ total, deltas }: PulseSeries): number | null {
  if (total.before || deltas.before) return null;
  const firsts = [total, deltas].flatMap(({ rows: [first] }) => first?.at ?? []);
  return firsts.length === 0 ? Infinity : Math.min(...firsts);
}

/**
 * What the level told until a meter had counted for a whole hour or day, and what the meter counted from then on. Where the
 * level is no older than the meter, the meter counts from its first.
 */
export function untilMeter(byLevel: readonly Amount[], byMeter: readonly Amount[], began: number): Amount[] {
  const isOlder = byLevel.some(({ at }) => at < began);
  const before = isOlder ? byLevel.filter(({ at }) => at <= began) : [];
  const known = new Set(before.map(({ at }) => at));
  return [...before, ...byMeter.filter(({ at }) => !known.has(at))].toSorted((a, b) => a.at - b.at);
}

/** Mean flow of the newest hour that was counted in, since the reading before it, L/min; null: not known. */
export function flowOfNewest(litrePerPulse: number, { total, deltas }: PulseSeries): number | null {
  const isTotal = total.rows.length > 0;
  const { rows, before } = isTotal ? total : deltas;
  const row = rows.at(-1);
  if (!row) return null;
  const since = (rows.at(-2) ?? before)?.lastAt ?? (isTotal ? row.firstAt : null);
  if (since === null || row.lastAt <= since) return null;
  return (litrePerPulse * (isTotal ? row.rises : row.sum) * 60_000) / (row.lastAt - since);
}
