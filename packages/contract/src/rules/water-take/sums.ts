import { DAY_MS, QUARTER_MS, type StandardTime, takeDayStart } from './clock.ts';
import type { TakeRow } from './rows.ts';
import type { VolumeState } from './volume.ts';

/** What rows amount to. */
export interface TakeSum {
  /** Start, epoch ms. */
  readonly at: number;
  /** m³ that are known of, also those of gaps by the counter's difference. */
  readonly m3: number;
  /** Something was taken, perhaps, that is in no figure. */
  readonly isWhole: boolean;
  readonly rows: number;
  readonly counts: Readonly<Record<VolumeState, number>>;
  /** The quarter with the most, L/s; null: no row is known. */
  readonly highestLps: number | null;
}

/** m³ in a quarter of an hour as a rate. */
export const lpsOfQuarter = (m3: number): number => (m3 * 1_000_000) / QUARTER_MS;
export const m3OfQuarter = (lps: number): number => (lps * QUARTER_MS) / 1_000_000;

export function sumOf(at: number, rows: readonly TakeRow[]): TakeSum {
  const counts: Record<VolumeState, number> = { measured: 0, shared: 0, estimated: 0, missing: 0 };
  let [m3, isWhole, highest] = [0, true, -1];
  for (const row of rows) {
    counts[row.state] += 1;
    m3 += row.known ?? 0;
    if (row.known === null) isWhole = false;
    if (row.m3 !== null) highest = Math.max(highest, row.m3);
  }
  const highestLps = highest < 0 ? null : lpsOfQuarter(highest);
  return { at, m3, isWhole, rows: rows.length, counts, highestLps };
}

/** By hour, or by day of standard time; a part of one where the rows begin or end in it. */
export function sumsBy(rows: readonly TakeRow[], startOf: (at: number) => number): TakeSum[] {
  const groups: { at: number; rows: TakeRow[] }[] = [];
  for (const row of rows) {
    const at = startOf(row.end - QUARTER_MS);
    const last = groups.at(-1);
    if (last?.at === at) last.rows.push(row);
    else groups.push({ at, rows: [row] });
  }
  return groups.map((group) => sumOf(group.at, group.rows));
}

export const daySums = (rows: readonly TakeRow[], time: StandardTime): TakeSum[] =>
  sumsBy(rows, (at) => takeDayStart(time, at));
export const hourSums = (rows: readonly TakeRow[]): TakeSum[] =>
  sumsBy(rows, (at) => Math.floor(at / 3_600_000) * 3_600_000);

/** What a day and the six before it amount to, by the day, m³; days that aren't given count as nothing. */
export function sevenDaySums(days: readonly TakeSum[]): { at: number; m3: number; isWhole: boolean }[] {
  let [sum, unsure, first] = [0, 0, 0];
  return days.map((day) => {
    sum += day.m3;
    unsure += day.isWhole ? 0 : 1;
    for (let old = days[first]; old && old.at <= day.at - 7 * DAY_MS; old = days[first]) {
      sum -= old.m3;
      unsure -= old.isWhole ? 0 : 1;
      first += 1;
    }
    return { at: day.at, m3: sum, isWhole: unsure === 0 };
  });
}

/** Measured rows of all that there should be, 0 to 1; null where there are none. */
export const completeness = ({ counts, rows }: Pick<TakeSum, 'counts' | 'rows'>): number | null =>
  rows === 0 ? null : counts.measured / rows;

/** m³ of a time; null where nothing is known of any of it: no zero stands for silence. */
export const knownM3 = ({
  m3,
  isWhole,
  missing,
  rows,
}: Pick<TakeSum, 'm3' | 'isWhole' | 'rows'> & { readonly missing: number }): number | null =>
  m3 === 0 && !isWhole && missing === rows ? null : m3;
