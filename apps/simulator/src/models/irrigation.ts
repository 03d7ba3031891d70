import { cycleLength } from '@headrace/demo/irrigation-plan';
import type { Irrigation } from '@headrace/demo/profile';
import type { LocalTime } from './local-time.ts';
import { slotMs, type Weather } from './weather.ts';

export type Watering = {
  /** The group that waters at this moment, if any. */
  readonly activeGroup: (at: number) => string | null;
  /** Day of the cycle, from 1, and its length. */
  readonly cycle: (at: number) => { day: number; length: number };
};

/**
 * Cycles between waterings: fewer in high summer, more at the ends of the season. A farm that gets round in one night
 * leaves a night more, or it would water more than grass uses.
 */
function intervalOf(month: number, cycleNights: number): number {
  const base = month === 12 || month === 1 ? 1 : month === 11 || month === 2 ? 2 : 3;
  return cycleNights === 1 ? base + 1 : base;
}

/** Follows the farm's plan, left out after rain and between waterings, as a manager would. */
export function createWatering(
  irrigation: Irrigation | null,
  weather: (at: number) => Weather,
  local: (at: number) => LocalTime,
): Watering {
  return irrigation
    ? byPlan(irrigation, weather, local)
    : { activeGroup: () => null, cycle: () => ({ day: 1, length: 1 }) };
}

function byPlan(
  irrigation: Irrigation,
  weather: (at: number) => Weather,
  local: (at: number) => LocalTime,
): Watering {
  const length = cycleLength(irrigation);
  const nights = new Map<number, boolean>();

  function isWatered(night: number, nightStart: number): boolean {
    let watered = nights.get(night);
    if (watered === undefined) {
      const { month } = local(nightStart);
      const due = Math.floor(night / length) % intervalOf(month, length) === 0;
      watered =
        due && inSeason(irrigation, month) && rainBefore(weather, nightStart) < irrigation.skipAfterRainMm;
      if (nights.size > 1000) nights.clear();
      nights.set(night, watered);
    }
    return watered;
  }

  function activeGroup(at: number): string | null {
    const { day, hour } = local(at);
    const minutes = day * 1440 + hour * 60 - irrigation.startMinute;
    const night = Math.floor(minutes / 1440);
    const sinceStart = minutes - night * 1440;
    const turn = Math.floor(sinceStart / irrigation.minutesPerGroup);
    if (turn >= irrigation.groupsPerNight || !isWatered(night, at - sinceStart * 60_000)) return null;
    const index = (((night % length) + length) % length) * irrigation.groupsPerNight + turn;
    return irrigation.groups[index] ?? null;
  }

  return { activeGroup, cycle: (at) => ({ day: (local(at).day % length) + 1, length }) };
}

function inSeason({ season: { from, to } }: Irrigation, month: number): boolean {
  return from <= to ? month >= from && month <= to : month >= from || month <= to;
}

/** mm in the 24 hours before. */
function rainBefore(weather: (at: number) => Weather, at: number): number {
  const perSlot = slotMs / 3_600_000;
  const end = Math.floor(at / slotMs);
  let sum = 0;
  for (let slot = end - 144; slot < end; slot += 1) sum += weather(slot * slotMs).rainMmPerHour * perSlot;
  return sum;
}
