import { cycleLength } from '@headrace/demo/irrigation-plan';
import type { Irrigation } from '@headrace/demo/profile';
import { cycleDayOf, wateringStart } from '@headrace/device/watering-start';
import type { LocalTime } from './local-time.ts';
import { slotMs, type Weather } from './weather.ts';

const minuteMs = 60_000;
const dayMinutes = 1440;
/** No clock change moves a start by more. */
const longestChangeMs = 60 * minuteMs;

export type Watering = {
  /** The groups that water at this moment: one, or none; more after the clock went forward over their starts. */
  readonly activeGroups: (at: number) => readonly string[];
  /** Days until every group has had its turn. */
  readonly cycleLength: number;
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
  return irrigation ? byPlan(irrigation, weather, local) : { activeGroups: () => [], cycleLength: 1 };
}

function byPlan(
  irrigation: Irrigation,
  weather: (at: number) => Weather,
  local: (at: number) => LocalTime,
): Watering {
  const length = cycleLength(irrigation);
  const nights = new Map<number, boolean>();
  const turnMs = irrigation.minutesPerGroup * minuteMs;
  const turns = Array.from({ length: irrigation.groupsPerNight }, (_, turn) => turn);
  const offsetAt = (at: number) => local(at).offsetMs;

  function turnStart(night: number, turn: number): number {
    const minutes = irrigation.startMinute + turn * irrigation.minutesPerGroup;
    const days = Math.floor(minutes / dayMinutes);
    return wateringStart(offsetAt, night + days, minutes - days * dayMinutes);
  }

  function isWatered(night: number): boolean {
    let watered = nights.get(night);
    if (watered === undefined) {
      const nightStart = turnStart(night, 0);
      const { month } = local(nightStart);
      const due = Math.floor(night / length) % intervalOf(month, length) === 0;
      watered =
        due && inSeason(irrigation, month) && rainBefore(weather, nightStart) < irrigation.skipAfterRainMm;
      if (nights.size > 1000) nights.clear();
      nights.set(night, watered);
    }
    return watered;
  }

  function groupOf(night: number, turn: number): readonly string[] {
    if (turn >= irrigation.groupsPerNight || !isWatered(night)) return [];
    const group = irrigation.groups[(cycleDayOf(night, length) - 1) * irrigation.groupsPerNight + turn];
    return group === undefined ? [] : [group];
  }

  function activeGroups(at: number): readonly string[] {
    const { day, hour, offsetMs } = local(at);
    const minutes = day * dayMinutes + hour * 60 - irrigation.startMinute;
    const night = Math.floor(minutes / dayMinutes);
    if (offsetAt(at - turnMs - longestChangeMs) === offsetMs)
      return groupOf(night, Math.floor((minutes - night * dayMinutes) / irrigation.minutesPerGroup));
    // The clock has changed since the turn under way may have begun: each turn by its own start.
    return [night - 1, night, night + 1].flatMap((one) =>
      turns.flatMap((turn) => {
        const start = turnStart(one, turn);
        return start <= at && at < start + turnMs ? groupOf(one, turn) : [];
      }),
    );
  }

  return { activeGroups, cycleLength: length };
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
