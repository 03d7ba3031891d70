import type { Timezone } from '@headrace/contract/farms';
import { CUSTOM_RANGE_DAYS, HOURLY_MAX_DAYS, PERIOD_DAYS } from '@headrace/contract/limits';
import { addDays, dayStart, farmOffsetSeconds, hourStart } from '@headrace/contract/rules/farm-time';

export const periods = ['Day', 'Week', 'Month', 'Year', 'Custom'] as const;
export type Period = (typeof periods)[number];

/** What the calls for history take. `stopAt` is DD-MM-YYYY; absent: today. */
export interface HistoryRange {
  days: number;
  stopAt?: string;
}
/** A choice of days as it stands in the address; days as YYYY-MM-DD. */
export interface PeriodChoice {
  period: Period;
  from?: string | undefined;
  to?: string | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const utcDay = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Whole days from one to the other, both counted. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utcDay(to) - utcDay(from)) / DAY) + 1;
}

/** A picked day as DD/MM/YYYY, in every zone and language: the specification has it so for the date picker. */
export const pickedDayText = (day: string) => day.split('-').reverse().join('/');

/** A day as calls have it: DD-MM-YYYY of YYYY-MM-DD. */
export const askedDay = (day: string) => day.split('-').toReversed().join('-');

/** A custom range counts only with both of its dates, in order. */
export function isChosen({ period, from, to }: PeriodChoice): boolean {
  return period === 'Custom' && from !== undefined && to !== undefined && from <= to;
}

export function rangeOf(choice: PeriodChoice): HistoryRange {
  const { period, from, to } = choice;
  if (!isChosen(choice) || from === undefined || to === undefined) return { days: PERIOD_DAYS[period] };
  return { days: daysBetween(from, to), stopAt: askedDay(to) };
}

/** The farm's calendar day that holds `at`, YYYY-MM-DD. */
export function farmDay(zone: Timezone, at: number): string {
  return new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString().slice(0, 10);
}

/** What the date picker starts with: the last 30 days, today among them. */
export function lastDays(today: string, days: number = CUSTOM_RANGE_DAYS): [from: string, to: string] {
  return [new Date(utcDay(today) - (days - 1) * DAY).toISOString().slice(0, 10), today];
}

/**
 * The time that a chart spans, epoch ms, as the server reads the same question: the farm's days that were asked for,
 * not beyond now; for the one day up to now the last 24 clock hours. And whatever the answer holds besides.
 */
export function windowOf(
  choice: PeriodChoice,
  zone: Timezone,
  now: number,
  times: readonly number[],
): { from: number; to: number } {
  const { days } = rangeOf(choice);
  const last =
    isChosen(choice) && choice.to !== undefined ? utcDay(choice.to) + DAY / 2 - zone.rawOffset * 1000 : now;
  const lastStart = dayStart(zone, last);
  const isLastDay = days === 1 && !isChosen(choice);
  const first = isLastDay ? hourStart(zone, now - 23 * HOUR) : addDays(zone, lastStart, 1 - days);
  const end = Math.min(addDays(zone, lastStart, 1), now);
  return { from: Math.min(first, times[0] ?? first), to: Math.max(end, times.at(-1) ?? end) };
}

/** Charts beyond 60 days are drawn from daily values. */
export const isDailyRange = (choice: PeriodChoice) => rangeOf(choice).days > HOURLY_MAX_DAYS;
