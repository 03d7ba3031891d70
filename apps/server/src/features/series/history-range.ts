import type { Timezone } from '@headrace/contract/farms';
import { HOURLY_MAX_DAYS, READINGS_MAX_DAYS } from '@headrace/contract/limits';
import { addDays, dayStart, hourStart, parseDay } from '@headrace/contract/rules/farm-time';
import { invalid } from '../../http/errors.ts';
import type { Range, Span } from './rollup-query.ts';

export interface Period {
  days?: number | undefined;
  stopAt?: string | undefined;
}

/** The starts of hours or days, of so many days. */
export interface HistoryRange extends Range {
  days: number;
}

const HOUR = 3_600_000;
const LAST_DAY_HOURS = 24;

/**
 * The farm's calendar days up to and with `stopAt` (today when absent), never beyond now. One day without `stopAt` is
 * the last 24 clock hours instead: a look at six in the morning must show the night, not six hours. Throws invalid.
 */
export function historyRange(zone: Timezone, { days = 1, stopAt }: Period, now: number): HistoryRange {
  if (stopAt === undefined && days === 1) {
    return { from: hourStart(zone, now - (LAST_DAY_HOURS - 1) * HOUR), to: now + 1, days };
  }
  const lastDay = stopAt === undefined ? dayStart(zone, now) : parseDay(zone, stopAt);
  if (lastDay === null) throw invalid('stopAt must be a day that exists, as DD-MM-YYYY.', 'stopAt');
  return {
    from: addDays(zone, lastDay, 1 - days),
    to: Math.min(addDays(zone, lastDay, 1), now + 1),
    days,
  };
}

/** Means and voltages: hours up to 60 days, days beyond. */
export const meanSpan = (range: HistoryRange): Span => (range.days > HOURLY_MAX_DAYS ? 'day' : 'hour');

/** Amounts: hours of one day, else days. */
export const amountSpan = (range: HistoryRange): Span => (range.days > 1 ? 'day' : 'hour');

/** A day that was asked for: the name of the parameter, and what stands in it. */
interface AskedDay {
  name: string;
  text: string | undefined;
}

/** Longest time that is told of at once, days: as much as `Days` of the agreement. */
const MOST_DAYS = 3660;

/** The farm's days from one up to and with another (today when absent), never beyond now. Throws invalid. */
export function daysBetween(zone: Timezone, first: AskedDay, last: AskedDay, now: number): HistoryRange {
  const from = asDay(zone, first, now);
  const end = addDays(zone, asDay(zone, last, now), 1);
  const days = Math.round((end - from) / (24 * HOUR));
  if (days < 1) throw invalid(`${last.name} must not lie before ${first.name}.`, last.name);
  if (days > MOST_DAYS) throw invalid(`Ask for at most ${MOST_DAYS} days at once.`, first.name);
  return { from, to: Math.min(end, now + 1), days };
}

function asDay(zone: Timezone, { name, text }: AskedDay, now: number): number {
  const day = text === undefined ? dayStart(zone, now) : parseDay(zone, text);
  if (day === null) throw invalid(`${name} must be a day that exists, as DD-MM-YYYY.`, name);
  return day;
}

/** Readings themselves up to 8 days, hours up to 60, days beyond. */
export function chartSpan({ days }: HistoryRange): Span | 'reading' {
  if (days <= READINGS_MAX_DAYS) return 'reading';
  return days > HOURLY_MAX_DAYS ? 'day' : 'hour';
}
