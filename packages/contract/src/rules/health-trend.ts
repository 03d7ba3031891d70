import type { HealthHistory } from '../health.ts';
import { historyType, historyTypes } from './health-figures.ts';

const DAY_MS = 86_400_000;
/** 12 months, in whole weeks. */
export const TREND_WEEKS = 52;
/** A change of the farm's number of sprinklers by more than this is marked, as a share of the number before. */
const CHANGED = 0.1;

/** Counts of a kind in a week. */
export interface WeekCount {
  /** Of the days that are known; of swaps, which are of their day alone, the sum. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

export interface TrendWeek {
  /** YYYY-MM-DD, seven days with both included. */
  readonly start: string;
  readonly stop: string;
  /** Days whose end was counted. */
  readonly known: number;
  /** By number of the kind; null: not known. */
  readonly counts: readonly (WeekCount | null)[];
  /** Sprinklers in service, mean of the days that are known; null: of none. */
  readonly inService: number | null;
  /** On a day of it the farm's number of sprinklers was otherwise by more than a tenth than on the last day before it that is known. */
  readonly isChanged: boolean;
}

type CountedDays = Pick<HealthHistory, 'data'>;

/** Of who is silent no error is known, nor whether it is inhibited. */
const ofHeard: ReadonlySet<number> = new Set([
  historyType.schedule,
  historyType.battery,
  historyType.clock,
  historyType.inhibited,
]);

/** The days that a trend is of: whole weeks up to `yesterday`; YYYY-MM-DD. */
export const trendDays = (yesterday: string): { start: string; stop: string } => ({
  start: dayAfter(yesterday, 1 - TREND_WEEKS * 7),
  stop: yesterday,
});

/** The last 12 months by week, the oldest first. `histories`: one of each kind, by its number. */
export function healthTrend(histories: readonly CountedDays[], yesterday: string): TrendWeek[] {
  const { start } = trendDays(yesterday);
  const byDay = historyTypes.map(
    (_name, type) => new Map((histories[type]?.data ?? []).map((day) => [day.date, day])),
  );
  const valueOf = (type: number, date: string): number | null => {
    const day = byDay[type]?.get(date);
    if (!day || (ofHeard.has(type) && day.inContact === 0)) return null;
    return day.value;
  };
  const weeks: TrendWeek[] = [];
  let before: number | null = null;
  for (let nth = 0; nth < TREND_WEEKS; nth += 1) {
    const days = Array.from({ length: 7 }, (_none, day) => dayAfter(start, nth * 7 + day));
    const known = days.filter((date) => byDay[historyType.regular]?.has(date));
    const numbers = known.map((date) => inServiceOf((type) => valueOf(type, date)));
    const last = before;
    weeks.push({
      start: days[0] ?? '',
      stop: days[6] ?? '',
      known: known.length,
      counts: historyTypes.map((_name, type) =>
        weekCount(
          days.flatMap((date) => valueOf(type, date) ?? []),
          type,
        ),
      ),
      inService: mean(numbers),
      // By its days: the means of two weeks share a change in the middle of one of them.
      isChanged: last !== null && numbers.some((number) => Math.abs(number - last) > last * CHANGED),
    });
    before = numbers.at(-1) ?? before;
  }
  return weeks;
}

function weekCount(values: readonly number[], type: number): WeekCount | null {
  const average = mean(values);
  if (average === null) return null;
  const value = type === historyType.swaps ? values.reduce((sum, one) => sum + one, 0) : average;
  return { value, least: Math.min(...values), most: Math.max(...values) };
}

/** Whoever is in service is heard regularly, occasionally or not. */
const inServiceOf = (valueOf: (type: number) => number | null): number =>
  (valueOf(historyType.regular) ?? 0) +
  (valueOf(historyType.occasional) ?? 0) +
  (valueOf(historyType.outOfContact) ?? 0);

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
