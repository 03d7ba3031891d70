import type { Confidence, UntilEmpty } from '../insights.ts';
import { UNTIL_EMPTY } from '../limits.ts';
import { type Rolled, toTenth, wholeText } from './rolled.ts';
import { median, robustDeviation, t80 } from './spread.ts';
import { isOutOfContact, isValidLevel, levelPercent, litresAt, litresOfFall, type TankShape } from './tank.ts';

export interface TankHistory {
  shape: TankShape;
  /** Whole farm days of `levelMm`, oldest first; without today. */
  days: readonly Rolled[];
  /** The newest level as it was sent; null: never. */
  level: { at: number; rawMm: number | null } | null;
  /** Its pump starts and stops by itself, and ran on so many of these days. */
  pump: { isAutomatic: boolean; daysRun: number };
}

export type Forecast<T> = { forecast: T; why: '' } | { forecast: null; why: string };
const none = (why: string) => ({ forecast: null, why }) as const;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Days until a tank is empty if it goes on as it does. What leaves it in a day is the change from one day's last level to the
 * next day's, in litres and per 24 hours, so that days of 23 and 25 hours count right. The present use is the median of the
 * last 14 days' changes: a day on which the tank was filled up, or somebody hosed the yard, doesn't move it. What a pump puts
 * in is part of the change. 80 % interval: from the spread of these days, for the median itself and for the days to come.
 *
 * No forecast for a tank without a volume, a level that is invalid or older than 3 hours, fewer than 3 days since data began
 * or since the level jumped (another sensor), a tank that isn't falling, and one that an automatic pump keeps filled.
 */
export function untilEmpty(tank: TankHistory, now: number): Forecast<UntilEmpty> {
  const { shape, level } = tank;
  if (!(shape.volume > 0)) return none("The tank's volume isn't set.");
  if (level === null) return none('The sensor has not reported yet.');
  if (isOutOfContact(level.at, now)) return none('The sensor is silent.');
  const litres = litresAt(shape, levelPercent(shape, level.rawMm));
  if (litres === null) return none("The sensor's value is invalid.");
  const days = sinceJump(shape, tank.days);
  const losses = lossesOf(shape, days);
  if (losses.length < UNTIL_EMPTY.leastDays) return none(tooFew(days, tank.days, losses.length));
  if (keepsUp(tank, days)) return none('A pump keeps it filled.');
  const perDay = median(losses) ?? 0;
  if (perDay <= litres / UNTIL_EMPTY.longestDays || perDay <= 0) return none('It is not running down.');
  return { forecast: forecastOf(litres, perDay, losses, tank.pump), why: '' };
}

function tooFew(days: readonly Rolled[], all: readonly Rolled[], count: number): string {
  if (days.length < all.length)
    return 'The level jumped: after a change of sensor it takes 3 days to know its use.';
  return `It takes 3 days of readings to know its use; there ${count === 1 ? 'is' : 'are'} ${count}.`;
}

/** From the last day on whose falls stand out by more than 30 % of the tank; its end is the new sensor's. */
function sinceJump(shape: TankShape, days: readonly Rolled[]): readonly Rolled[] {
  const stepDown = ({ firstValue }: Rolled, before: Rolled | undefined) =>
    before ? Math.max(0, before.lastValue - firstValue) : 0;
  const falls = days.map((day, index) => Math.max(day.falls, stepDown(day, days[index - 1])));
  const usual = median(falls) ?? 0;
  const jump = (UNTIL_EMPTY.jumpPercent / 100) * shape.toplevel;
  const last = falls.findLastIndex((fall) => fall - usual > jump);
  return days.slice(Math.max(0, last));
}

/** Litres lost per 24 hours from one day's last level to the next day's; negative: gained. */
function lossesOf(shape: TankShape, days: readonly Rolled[]): number[] {
  return days.slice(1).flatMap((day, index) => {
    const before = days[index];
    if (!before || !isValidLevel(shape, before.lastValue) || !isValidLevel(shape, day.lastValue)) return [];
    const time = day.lastAt - before.lastAt;
    const { least, most } = UNTIL_EMPTY.stepHours;
    if (time < least * HOUR || time > most * HOUR) return [];
    return [(litresOfFall(shape, before.lastValue - day.lastValue) * DAY) / time];
  });
}

/** An automatic pump ran, and the level isn't clearly below the lows of the days before the last two. */
function keepsUp({ shape, pump, level }: TankHistory, days: readonly Rolled[]): boolean {
  if (!pump.isAutomatic || pump.daysRun === 0) return false;
  const lows = days.slice(0, -2).map(({ min }) => min);
  const margin = (UNTIL_EMPTY.newLowPercent / 100) * shape.toplevel;
  return lows.length === 0 || (level?.rawMm ?? 0) >= Math.min(...lows) - margin;
}

function forecastOf(
  litres: number,
  perDay: number,
  losses: readonly number[],
  pump: TankHistory['pump'],
): UntilEmpty {
  const days = litres / perDay;
  const half = halfWidth(losses, days);
  const latest = perDay > half ? litres / (perDay - half) : null;
  return {
    days: toTenth(days),
    earliest: toTenth(litres / (perDay + half)),
    latest: latest === null || latest > 10 * UNTIL_EMPTY.longestDays ? null : toTenth(latest),
    litresPerDay: Math.round(perDay),
    confidence: pump.isAutomatic ? 'low' : confidenceOf(losses.length, half / perDay),
    basis: basisOf(litres, perDay, losses.length, pump),
  };
}

/** Of the mean of so many days to come: how well the median is known, and how much these days may differ. */
function halfWidth(losses: readonly number[], daysToCome: number): number {
  const deviation = robustDeviation(losses);
  // pi/2: by how much a median's variance is larger than a mean's.
  const variance = Math.PI / 2 / losses.length + 1 / Math.max(1, daysToCome);
  return t80(losses.length - 1) * deviation * Math.sqrt(variance);
}

function confidenceOf(days: number, relative: number): Confidence {
  if (days >= 10 && relative <= 0.25) return 'high';
  return days >= 5 && relative <= 0.6 ? 'medium' : 'low';
}

function basisOf(litres: number, perDay: number, days: number, pump: TankHistory['pump']): string {
  const use = `Half of the last ${days} days took more than ${wholeText(perDay)} L, half less; it holds about ${wholeText(litres)} L.`;
  if (!pump.isAutomatic) return use;
  if (pump.daysRun > 0) return `${use} Its pump runs and doesn't keep up.`;
  return `${use} Its pump, which starts by itself, has not run.`;
}
