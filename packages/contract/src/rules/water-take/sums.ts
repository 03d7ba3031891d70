import { DAY_MS, QUARTER_MS, type StandardTime, takeDayStart } from './clock.ts';
import type { TakeRow } from './rows.ts';
import type { KnownGap, VolumeState } from './volume.ts';

/** What rows amount to. */
export interface TakeSum {
  /** Start, epoch ms. */
  readonly at: number;
  /** m³ that are sure: of its rows, and of gaps that lie in it whole by the counter's difference. */
  readonly m3: number;
  /** False: something may have been taken that is in no figure. */
  readonly isWhole: boolean;
  /** Of a part of it not even a gap's total is known. */
  readonly hasUnknown: boolean;
  /** Gaps that begin before it or end after it: how much of them is its own nobody knows. */
  readonly cut: readonly KnownGap[];
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
  let [m3, hasUnknown, highest] = [0, false, -1];
  const gaps = new Set<KnownGap>();
  for (const row of rows) {
    counts[row.state] += 1;
    m3 += row.known ?? 0;
    if (row.known === null || row.isLeast) hasUnknown = true;
    if (row.m3 !== null) highest = Math.max(highest, row.m3);
    for (const gap of row.gaps ?? []) gaps.add(gap);
  }
  const { inside, cut } = sorted(gaps, (rows[0]?.end ?? 0) - QUARTER_MS, rows.at(-1)?.end ?? 0);
  const highestLps = highest < 0 ? null : lpsOfQuarter(highest);
  const isWhole = !hasUnknown && cut.length === 0;
  return { at, m3: m3 + inside, isWhole, hasUnknown, cut, rows: rows.length, counts, highestLps };
}

/** m³ of the gaps that lie in a time whole, and those that its edges cut. */
function sorted(gaps: Iterable<KnownGap>, from: number, to: number): { inside: number; cut: KnownGap[] } {
  let inside = 0;
  const cut: KnownGap[] = [];
  for (const gap of gaps)
    if (gap.from >= from && gap.to <= to) inside += gap.m3;
    else cut.push(gap);
  return { inside, cut };
}

/** Of days that follow each other: a gap over a midnight between two of them lies in them whole. */
export function sumOfDays(days: readonly TakeSum[]): Pick<TakeSum, 'm3' | 'isWhole'> {
  const gaps = new Set(days.flatMap(({ cut }) => cut));
  const { inside, cut } = sorted(gaps, days[0]?.at ?? 0, (days.at(-1)?.at ?? 0) + DAY_MS);
  return {
    m3: days.reduce((sum, { m3 }) => sum + m3, inside),
    isWhole: cut.length === 0 && !days.some(({ hasUnknown }) => hasUnknown),
  };
}

/** m³ of gaps that end on a day and began before it, since a moment. */
export const endedGapsM3 = ({ at, cut }: Pick<TakeSum, 'at' | 'cut'>, since: number): number =>
  cut.reduce(
    (sum, gap) => (gap.from >= since && gap.to > at && gap.to <= at + DAY_MS ? sum + gap.m3 : sum),
    0,
  );

/** By hour, or by day of standard time, one after the other; a part of one where the rows begin or end in it. */
export function* sumsBy(rows: Iterable<TakeRow>, startOf: (at: number) => number): Generator<TakeSum, void> {
  let [at, own]: [number, TakeRow[]] = [NaN, []];
  for (const row of rows) {
    const start = startOf(row.end - QUARTER_MS);
    if (start !== at) {
      if (own.length > 0) yield sumOf(at, own);
      [at, own] = [start, []];
    }
    own.push(row);
  }
  if (own.length > 0) yield sumOf(at, own);
}

/** A day at a time: of a year others may have their turn in between. */
export const eachDaySum = (rows: Iterable<TakeRow>, time: StandardTime): Generator<TakeSum, void> =>
  sumsBy(rows, (at) => takeDayStart(time, at));
export const daySums = (rows: Iterable<TakeRow>, time: StandardTime): TakeSum[] => [
  ...eachDaySum(rows, time),
];
export const hourSums = (rows: Iterable<TakeRow>): Generator<TakeSum, void> =>
  sumsBy(rows, (at) => Math.floor(at / 3_600_000) * 3_600_000);

/** What a day and the six before it amount to, by the day, m³; days that aren't given count as nothing. */
export function sevenDaySums(days: readonly TakeSum[]): { at: number; m3: number; isWhole: boolean }[] {
  let first = 0;
  return days.map((day, index) => {
    while ((days[first]?.at ?? Infinity) <= day.at - 7 * DAY_MS) first += 1;
    return { at: day.at, ...sumOfDays(days.slice(first, index + 1)) };
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
