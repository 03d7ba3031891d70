import { type CountedUnit, type HealthHistory, HISTORY_DAYS } from '@headrace/contract/health';
import type { Timezone } from '@headrace/contract/farms';
import { PERIOD_DAYS } from '@headrace/contract/limits';
import { addDays, parseDay } from '@headrace/contract/rules/farm-time';
import type { CountedDay } from '../../charts/health-history-chart.ts';
import { daysBetween, isChosen, lastDays, type PeriodChoice } from '../../time-range/period.ts';

/** Days as YYYY-MM-DD, both included. */
export interface HistoryDays {
  start: string;
  stop: string;
  /** More days were chosen than are told at once: these are the last of them. */
  isCut: boolean;
}

/**
 * The days that a choice asks for. A day is counted at its end: up to now means up to yesterday. `today`: the farm's, YYYY-MM-DD.
 */
export function historyDays(choice: PeriodChoice, today: string): HistoryDays {
  const { from, to, period } = choice;
  if (isChosen(choice) && from && to) {
    const isCut = daysBetween(from, to) > HISTORY_DAYS.most;
    return { start: isCut ? lastDays(to, HISTORY_DAYS.most)[0] : from, stop: to, isCut };
  }
  const [yesterday] = lastDays(today, 2);
  const [start, stop] = lastDays(yesterday, PERIOD_DAYS[period]);
  return { start, stop, isCut: false };
}

/** Each day that was asked for with its count, the oldest first. */
export function countedDays(zone: Timezone, history: HealthHistory): CountedDay[] {
  const counts = new Map(history.data.map(({ date, value }) => [date, value]));
  const dates = Array.from({ length: daysBetween(history.start, history.stop) }, (_, nth) => {
    const at = Date.parse(`${history.start}T00:00:00Z`) + nth * 86_400_000;
    return new Date(at).toISOString().slice(0, 10);
  });
  return dates.map((date) => {
    const start = parseDay(zone, date) ?? 0;
    return { date, start, end: addDays(zone, start, 1), value: counts.get(date) ?? null };
  });
}

/** The sprinklers of a day, where the answer names them; null: it has to be asked for alone. */
export function namedOn(history: HealthHistory, day: string): readonly CountedUnit[] | null {
  if (daysBetween(history.start, history.stop) > HISTORY_DAYS.named) return null;
  return history.data.find(({ date }) => date === day)?.units ?? null;
}
