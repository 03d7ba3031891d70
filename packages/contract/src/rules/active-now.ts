import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Timezone } from '../farms.ts';
import { addDays, dayStart, farmOffsetSeconds } from './farm-time.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** Units report a few times a day: after a day without a word nobody knows whether a valve is still open. */
const VALVE_REPORT_MS = DAY;

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
  readonly zone: Timezone;
  readonly now: number;
  /** Start (epoch ms) of the farm's day `days` after today's. */
  readonly day: (days: number) => number;
}

export function farmCalendar(zone: Timezone, now: number): FarmCalendar {
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
 * Starts are read on the farm's clock: one in the hour that is skipped begins an hour later on the clock, one in the hour
 * that comes twice begins the first time. A watering may go on after midnight and lasts its minutes whatever the clock does.
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
  const startAt = clockTime(calendar, days, entry.start % DAY_MINUTES);
  const endAt = startAt + entry.duration * MINUTE;
  const { now } = calendar;
  return { startAt, endAt, cycle: entry.cycle, activeNow: startAt <= now && now < endAt };
}

/** When the farm's clock shows `minute` on the day that is `days` after today, epoch ms. */
function clockTime({ zone, day }: FarmCalendar, days: number, minute: number): number {
  const start = day(days);
  const early = start + minute * MINUTE;
  if (day(days + 1) - start === DAY) return early;
  const then = farmOffsetSeconds(zone, early);
  const moved = early - (then - farmOffsetSeconds(zone, start)) * 1000;
  // In the skipped hour no moment has this clock time.
  return farmOffsetSeconds(zone, moved) === then ? moved : early;
}

/** What a unit last said of its valve; `at` in epoch ms. */
export interface ValveReport {
  readonly isOpen: boolean;
  readonly at: number;
}

/**
 * Whether a unit waters now. What it says itself counts more than its schedule: open is open, for a day; closed after a
 * watering began means that it isn't watering. `now` in epoch ms.
 */
export function isWatering(found: readonly Watering[], valve: ValveReport | null, now: number): boolean {
  if (valve?.isOpen && now - valve.at <= VALVE_REPORT_MS) return true;
  return found.some(({ activeNow, startAt }) => activeNow && !(valve && !valve.isOpen && valve.at > startAt));
}

/** Until when (epoch ms) neither what `waterings` found at `now` nor what `isWatering` says of it changes, on the same day of the farm. */
export function wateringSteadyUntil(
  found: readonly Watering[],
  valve: ValveReport | null,
  now: number,
): number {
  const turns = found.map(({ activeNow, startAt, endAt }) => (activeNow ? endAt : startAt));
  const forgotten = valve?.isOpen ? valve.at + VALVE_REPORT_MS + 1 : Number.POSITIVE_INFINITY;
  return Math.min(...turns, forgotten > now ? forgotten : Number.POSITIVE_INFINITY);
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}
