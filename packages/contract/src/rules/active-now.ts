import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { wateringStart } from '@headrace/device/watering-start';
import type { ValveRun } from './valve-belief.ts';
import { addDays, dayStart, type FarmClock, farmOffsetSeconds } from './farm-time.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const DAY_MINUTES = 1440;

/** A watering of a unit: the one under way, else the next one. Times in epoch ms. */
export interface Watering {
  readonly startAt: number;
  readonly endAt: number;
  /** Day of the cycle, from 1. */
  readonly cycle: number;
  readonly activeNow: boolean;
}

/** The farm's days around a moment; asked thousands of times for the same few days, so it remembers them. */
export interface FarmCalendar {
  readonly zone: FarmClock;
  readonly now: number;
  /** Start (epoch ms) of the farm's day `days` after today's. */
  readonly day: (days: number) => number;
}

export function farmCalendar(zone: FarmClock, now: number): FarmCalendar {
  const today = dayStart(zone, now);
  const known = new Map<number, number>();
  return {
    zone,
    now,
    day(days) {
      const start = known.get(days) ?? addDays(zone, today, days);
      known.set(days, start);
      return start;
    },
  };
}

/**
 * Day of the cycle now, 1 to `length` days, of a unit that said at `at` (epoch ms) which day it was; it changes at the
 * farm's midnight. Null: it has not said, and the cycle has more than one day.
 */
export function cycleDayNow(
  calendar: FarmCalendar,
  said: { readonly day: number; readonly at: number } | null,
  length: number,
): number | null {
  if (length <= 1) return 1;
  if (!said) return null;
  const days = Math.round((calendar.day(0) - dayStart(calendar.zone, said.at)) / DAY);
  return modulo(said.day - 1 + days, length) + 1;
}

/**
 * Each entry's watering that is under way, else its next one; `cycle` is today's day of the cycle and the cycle's length.
 * Starts are read on the farm's clock, as units do (`wateringStart`): one in the hour that is skipped begins at the change,
 * one in the hour that comes twice begins the first time. A watering may go on after midnight and lasts its minutes whatever
 * the clock does.
 */
export function waterings(
  calendar: FarmCalendar,
  entries: readonly ScheduleEntry[],
  cycle: { readonly day: number; readonly length: number },
): Watering[] {
  return entries.flatMap((entry) => {
    if (entry.cycle > cycle.length) return [];
    const ahead = modulo(entry.cycle - cycle.day, cycle.length);
    for (const days of [ahead - cycle.length, ahead, ahead + cycle.length]) {
      const watering = wateringOn(calendar, entry, days);
      if (watering.endAt > calendar.now) return [watering];
    }
    return [];
  });
}

function wateringOn(calendar: FarmCalendar, entry: ScheduleEntry, days: number): Watering {
  const startAt = startOn(calendar, days, entry.start % DAY_MINUTES);
  const endAt = startAt + entry.duration * MINUTE;
  const { now } = calendar;
  return { startAt, endAt, cycle: entry.cycle, activeNow: startAt <= now && now < endAt };
}

/** When a watering of the day that is `days` after today begins, epoch ms. */
function startOn({ zone, day }: FarmCalendar, days: number, minute: number): number {
  const start = day(days);
  if (day(days + 1) - start === DAY) return start + minute * MINUTE;
  const offsetAt = (at: number) => farmOffsetSeconds(zone, at) * 1000;
  return wateringStart(offsetAt, Math.round((start + offsetAt(start)) / DAY), minute);
}

/** The watering under way at the calendar's moment, else the last that ended; of several the one that ends last. Null: none in two cycles. */
export function lastRun(
  calendar: FarmCalendar,
  entries: readonly ScheduleEntry[],
  cycle: { readonly day: number; readonly length: number },
): ValveRun | null {
  let last: ValveRun | null = null;
  for (const entry of entries) {
    if (entry.cycle > cycle.length) continue;
    const ahead = modulo(entry.cycle - cycle.day, cycle.length);
    for (const days of [ahead, ahead - cycle.length, ahead - 2 * cycle.length]) {
      const { startAt, endAt } = wateringOn(calendar, entry, days);
      if (startAt <= calendar.now && (last === null || endAt > last.endAt)) last = { startAt, endAt };
    }
  }
  return last;
}

/** When the next of these begins or ends, as `waterings` found them, epoch ms; infinity: never. */
export const nextTurn = (found: readonly Watering[]): number =>
  Math.min(
    ...found.map(({ activeNow, startAt, endAt }) => (activeNow ? endAt : startAt)),
    Number.POSITIVE_INFINITY,
  );

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}
