import type { Timezone } from '@headrace/contract/farms';
import { LEAK_FLOW_HOURS, NIGHT_HOURS } from '@headrace/contract/limits';
import { addDays, dayStart, hourOfDay, hourStart } from '@headrace/contract/rules/farm-time';
import { fallsAtNight, flowsWithoutStop, levelPercent, type TankShape } from '@headrace/contract/rules/tank';
import type { Range, Rollup } from '../series/rollup-query.ts';

/** The hours of flow to read to tell leaks at `now`: since yesterday's midnight in the small hours, else since today's, and the last six. */
export function leakRange(zone: Timezone, now: number): Range {
  const today = dayStart(zone, now);
  const firstNight = hourOfDay(zone, now) < NIGHT_HOURS.to ? addDays(zone, today, -1) : today;
  return { from: Math.min(firstNight, wholeHours(zone, now)[0] ?? now), to: now + 1 };
}

/** Starts of the hours of the nights that count, oldest first. */
export function nightHours(zone: Timezone, now: number): number[] {
  const starts = new Set<number>();
  for (const day of nightsToJudge(zone, now))
    for (let at = day; at < addDays(zone, day, 1); at += QUARTER_MS)
      if (isNight(zone, at)) starts.add(hourStart(zone, at));
  return [...starts];
}

/** No clock moves by less. */
const QUARTER_MS = 900_000;

function isNight(zone: Timezone, at: number): boolean {
  const hour = hourOfDay(zone, at);
  return hour >= NIGHT_HOURS.from && hour < NIGHT_HOURS.to;
}

/** Flow that has not stopped for six whole hours, or a level that fell in the last night. */
export function hasLeak(
  zone: Timezone,
  shape: TankShape,
  hours: { level: readonly Rollup[]; flow: readonly Rollup[] },
  now: number,
): boolean {
  return (
    flowsOn(zone, hours.flow, now) ||
    nightsToJudge(zone, now).some((night) => fell(zone, shape, hours.level, night))
  );
}

/** Starts of the last six hours that are over, oldest first. */
function wholeHours(zone: Timezone, now: number): number[] {
  const starts: number[] = [];
  for (let start = hourStart(zone, now); starts.length < LEAK_FLOW_HOURS; ) {
    start = hourStart(zone, start - 1);
    starts.unshift(start);
  }
  return starts;
}

function flowsOn(zone: Timezone, flow: readonly Rollup[], now: number): boolean {
  const byStart = new Map(flow.map((hour) => [hour.at, { min: hour.min, count: hour.n }]));
  return flowsWithoutStop(wholeHours(zone, now).map((start) => byStart.get(start) ?? null));
}

/** The days whose nights count: the newest that is over, and the one under way. */
function nightsToJudge(zone: Timezone, now: number): number[] {
  const today = dayStart(zone, now);
  const hour = hourOfDay(zone, now);
  if (hour >= NIGHT_HOURS.to) return [today];
  const yesterday = addDays(zone, today, -1);
  return hour >= NIGHT_HOURS.from ? [yesterday, today] : [yesterday];
}

function fell(zone: Timezone, shape: TankShape, level: readonly Rollup[], day: number): boolean {
  const night = level.filter(({ at, n }) => {
    return n > 0 && isNight(zone, at) && dayStart(zone, at) === day;
  });
  return fallsAtNight(
    levelPercent(shape, night.at(0)?.firstValue ?? null),
    levelPercent(shape, night.at(-1)?.lastValue ?? null),
  );
}
