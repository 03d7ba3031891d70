import type { Timezone } from '@headrace/contract/farms';
import { clockTime, parseDay } from '@headrace/contract/rules/farm-time';
import { minuteOf } from '../../forms/minute-of.ts';
import { minuteText } from '../../ui/format.ts';
import { farmDay } from '../../time-range/period.ts';

/** Epoch ms of a day (YYYY-MM-DD) and a time of it on the farm's clock; null: one of them is none. */
export function momentOf(zone: Timezone, day: string, clock: string): number | null {
  const [start, minute] = [parseDay(zone, day), minuteOf(clock)];
  return start === null || minute === null ? null : clockTime(zone, start, minute * 60);
}

/** A moment as it is sent: the one that came, with its seconds and in its hour of the two where clocks go back, unless it was changed. */
export function sentMoment(
  zone: Timezone,
  { day, clock }: { day: string; clock: string },
  came: string | null,
): string {
  const shown = came === null ? null : dayAndClock(zone, Date.parse(came));
  if (came !== null && shown?.day === day && shown.clock === clock) return came;
  return new Date(momentOf(zone, day, clock) ?? 0).toISOString();
}

/** The same the other way. */
export const dayAndClock = (zone: Timezone, at: number): { day: string; clock: string } => ({
  day: farmDay(zone, at),
  clock: minuteText(at, zone),
});

export function dayFault(day: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'Please enter a day as DD/MM/YYYY.';
  const at = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
  return isDay ? null : 'This day does not exist.';
}
