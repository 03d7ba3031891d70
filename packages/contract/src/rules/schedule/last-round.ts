import type { Timezone } from '../../farms.ts';
import { addDays, clockTime, dayStart, farmOffsetSeconds } from '../farm-time.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** Shorter rests in a farm's watering say nothing of where its day begins. */
const REST_MINUTES = 60;
/** Of a farm that waters around the clock: when people look, in the morning. */
const MORNING = 7 * 60;
/** So many rounds back one is looked for: a farm of two-day cycles rests every second. */
const ROUNDS_BACK = 7;

/** Epoch ms. */
export interface RoundSpan {
  readonly startAt: number;
  readonly endAt: number;
}

/**
 * The minute of the day at which a farm's watering day begins: the middle of its longest rest, so that a watering by night is one and
 * that of a day is one. `planned`: what it waters by for some days.
 */
export function roundStart(planned: readonly RoundSpan[], zone: Timezone): number {
  const isBusy = new Uint8Array(DAY_MINUTES);
  for (const { startAt, endAt } of planned) {
    const first = Math.floor((startAt + farmOffsetSeconds(zone, startAt) * 1000) / MINUTE);
    const minutes = Math.min(DAY_MINUTES, Math.ceil((endAt - startAt) / MINUTE));
    for (let minute = 0; minute < minutes; minute += 1) isBusy[(first + minute) % DAY_MINUTES] = 1;
  }
  const rest = longestRest(isBusy);
  return rest.minutes >= REST_MINUTES ? (rest.from + Math.floor(rest.minutes / 2)) % DAY_MINUTES : MORNING;
}

function longestRest(isBusy: Uint8Array): { from: number; minutes: number } {
  let best = { from: 0, minutes: 0 };
  let minutes = 0;
  // Twice around: a rest may lie over midnight.
  for (let minute = 0; minute < 2 * DAY_MINUTES; minute += 1) {
    minutes = isBusy[minute % DAY_MINUTES] ? 0 : Math.min(minutes + 1, DAY_MINUTES);
    if (minutes > best.minutes) best = { from: (minute - minutes + 1) % DAY_MINUTES, minutes };
  }
  return best;
}

/** A watering day: all that begins in [from, to), epoch ms. */
export interface Round {
  readonly from: number;
  readonly to: number;
}

/**
 * The last watering day of a farm that is over: all that was to begin in it has ended `graceMs` ago. The one of now where that is so
 * already, as in the morning after a night; else the one before, and where that had none, one up to a week back. Null: none of them
 * had any. `plannedIn` tells what was to begin in a round.
 */
export function lastRound(
  startMinute: number,
  zone: Timezone,
  now: number,
  graceMs: number,
  plannedIn: (round: Round) => readonly RoundSpan[],
): Round | null {
  const today = dayStart(zone, now);
  const begins = (daysBack: number) => clockTime(zone, addDays(zone, today, -daysBack), startMinute * 60);
  const first = begins(0) <= now ? 0 : 1;
  for (let back = first; back < first + ROUNDS_BACK; back += 1) {
    const round = { from: begins(back), to: begins(back - 1) };
    const planned = plannedIn(round);
    if (planned.length > 0 && planned.every(({ endAt }) => endAt + graceMs <= now)) return round;
  }
  return null;
}
