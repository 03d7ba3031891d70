import type { Confidence, UntilEmpty } from '../insights.ts';
import { UNTIL_EMPTY } from '../limits.ts';
import { wholeText } from './number-text.ts';
import { type Rolled, toTenth } from './rolled.ts';
import { deviationFrom, lineThrough, median, t80 } from './spread.ts';
import {
  isOutOfContact,
  isValidLevel,
  levelPercent,
  litresAt,
  litresOfFall,
  type TankShape,
} from './tank.ts';

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
 * Days until a tank is empty if usage stays as it is; docs/insights.md has the method. A day's loss is its usage less its inflow, or
 * else the change from one day's last level to the next day's, in litres per 24 hours, so that days of 23 and 25 hours compare. The
 * current rate is the median of the last 14 days, which a day of filling or of hosing the yard does not move, or the median of the
 * newest 3 to 7 days where they clearly differ. The 80 % interval comes from the spread of the days without filling. If usage grows
 * or falls from day to day, the interval reaches to the day that this trend would give, and confidence is medium at most.
 *
 * No forecast for a tank without a volume, with a level that is invalid or older than 3 hours, with fewer than 3 days since data began
 * or since the level jumped (another sensor), or for a tank that isn't falling, or falls so unsteadily that it may never be empty and
 * certainly not within two weeks. None for a tank that an automatic pump keeps filled, or that was filled twice or more in these days
 * (a ball cock, a bore on a timer), unless its level is clearly below all its earlier lows.
 */
export function untilEmpty(tank: TankHistory, now: number): Forecast<UntilEmpty> {
  const { shape, level } = tank;
  if (!(shape.volume > 0)) return none("The tank's volume isn't set.");
  if (level === null) return none('The sensor has not reported yet.');
  if (isOutOfContact(level.at, now)) return none('The sensor is silent.');
  const litres = litresAt(shape, levelPercent(shape, level.rawMm));
  if (litres === null) return none("The sensor's value is invalid.");
  const days = sinceJump(shape, tank.days);
  const known = lossesOf(shape, days);
  if (known.length < UNTIL_EMPTY.leastDays) return none(tooFew(days, tank.days, known.length));
  const fills = refills(shape, known);
  if (!isNewLow(tank, days)) {
    if (tank.pump.isAutomatic && tank.pump.daysRun > 0) return none('A pump keeps it filled.');
    if (fills >= UNTIL_EMPTY.fills) return none('It is filled up again and again.');
  }
  const isFill = fillOf(shape);
  const losses = sinceChange(known, isFill);
  const perDay = median(losses) ?? 0;
  if (perDay <= litres / UNTIL_EMPTY.longestDays || perDay <= 0) return none('Its level is not falling.');
  const deviation = deviationFrom(
    perDay,
    losses.filter((loss) => !isFill(loss)),
  );
  const hasChanged = losses.length < known.length;
  const trend = trendOf(known, isFill);
  const use = { litres, perDay, deviation, count: losses.length, hasChanged, trend, fills, pump: tank.pump };
  const forecast = forecastOf(use);
  const isVague = perDay <= halfOf(use) && forecast.earliest > UNTIL_EMPTY.vagueDays;
  return isVague ? none('It is not clearly running down.') : { forecast, why: '' };
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

/** Litres lost on each day: what was used less what came, else from one day's last level to the next day's per 24 hours; negative: gained. */
function lossesOf(shape: TankShape, days: readonly Rolled[]): number[] {
  return days.slice(1).flatMap((day, index) => {
    const before = days[index];
    if (!before || !isValidLevel(shape, before.lastValue) || !isValidLevel(shape, day.lastValue)) return [];
    const time = day.lastAt - before.lastAt;
    const { least, most } = UNTIL_EMPTY.stepHours;
    if (time < least * HOUR || time > most * HOUR) return [];
    const { used, gained } = day;
    if (used !== undefined && gained !== undefined)
      return [(litresOfFall(shape, used - gained) * DAY) / lengthOf(day, days[index + 2])];
    return [(litresOfFall(shape, before.lastValue - day.lastValue) * DAY) / time];
  });
}

/** 23 or 25 hours where clocks change, as far as the next day tells; ms. */
function lengthOf({ at }: Rolled, next: Rolled | undefined): number {
  const length = next ? next.at - at : DAY;
  return Math.abs(length - DAY) <= HOUR ? length : DAY;
}

/**
 * The newest days alone where they clearly took more or less than those before: stock moved in, a dry spell. Days that filled
 * the tank don't tell what is taken.
 */
function sinceChange(losses: readonly number[], isFill: (loss: number) => boolean): readonly number[] {
  const { least, most } = UNTIL_EMPTY.changeDays;
  const taken = (days: readonly number[]) => days.filter((loss) => !isFill(loss));
  let clearest: number = UNTIL_EMPTY.changeTimes;
  let since = losses;
  for (let count = least; count <= most; count += 1) {
    const newest = losses.slice(-count);
    const times = changeBetween(taken(losses.slice(0, -count)), taken(newest));
    if (times <= clearest) continue;
    clearest = times;
    since = newest;
  }
  return since;
}

/** How many standard deviations the medians of two uses are apart; 0 when that is next to nothing, or of too few days. */
function changeBetween(before: readonly number[], newest: readonly number[]): number {
  if (Math.min(before.length, newest.length) < UNTIL_EMPTY.changeDays.least) return 0;
  const [was, is] = [median(before) ?? 0, median(newest) ?? 0];
  const change = Math.abs(is - was);
  if (change <= (UNTIL_EMPTY.changePercent / 100) * Math.abs(was)) return 0;
  const [n, m] = [before.length, newest.length];
  const deviation = (n * deviationFrom(was, before) + m * deviationFrom(is, newest)) / (n + m);
  return change / (deviation * Math.sqrt((Math.PI / 2) * (1 / n + 1 / m)));
}

/** Grows or falls day by day: more than chance makes of days that differ. */
interface Trend {
  /** Litres a day, today and more with each day to come. */
  today: number;
  slope: number;
}

function trendOf(losses: readonly number[], isFill: (loss: number) => boolean): Trend | null {
  const points = losses.map((y, x) => ({ x, y })).filter(({ y }) => !isFill(y));
  const line = points.length < UNTIL_EMPTY.leastTrendDays ? null : lineThrough(points);
  if (!line || Math.abs(line.slope) <= UNTIL_EMPTY.trendTimes * line.slopeDeviation) return null;
  return { today: line.meanY + line.slope * (losses.length - 0.5 - line.meanX), slope: line.slope };
}

/** Days that so many litres last when use goes on growing or falling as it does; null: they last for ever. */
function daysByTrend(litres: number, { today, slope }: Trend): number | null {
  // today · d + slope · d² / 2 = litres
  const root = today * today + 2 * slope * litres;
  return root < 0 || today + Math.sqrt(root) <= 0 ? null : (2 * litres) / (today + Math.sqrt(root));
}

/** How often it was filled: days in a row that gained more than 5 % of the tank each. */
function refills(shape: TankShape, losses: readonly number[]): number {
  const isFill = fillOf(shape);
  return losses.filter((loss, index) => isFill(loss) && !isFill(losses[index - 1] ?? 0)).length;
}

const fillOf =
  ({ volume }: TankShape) =>
  (loss: number) =>
    -loss > (UNTIL_EMPTY.fillPercent / 100) * volume;

/** Whether the level is clearly below the lows of all days before the last two: whatever fills the tank doesn't keep up. */
function isNewLow({ shape, level }: TankHistory, days: readonly Rolled[]): boolean {
  const lows = days.slice(0, -2).map(({ min }) => min);
  const margin = (UNTIL_EMPTY.newLowPercent / 100) * shape.toplevel;
  return lows.length > 0 && (level?.rawMm ?? 0) < Math.min(...lows) - margin;
}

interface Use {
  /** Held now. */
  litres: number;
  perDay: number;
  /** Of the days that didn't fill it. */
  deviation: number;
  /** Of all days that count. */
  count: number;
  /** Earlier days were of another use, and don't. */
  hasChanged: boolean;
  trend: Trend | null;
  fills: number;
  pump: TankHistory['pump'];
}

/** Half of the interval, litres a day: how well the median is known (pi/2: its variance over a mean's), and how days differ. */
function halfOf({ litres, perDay, count, deviation }: Use): number {
  const variance = Math.PI / 2 / count + 1 / Math.max(1, litres / perDay);
  return t80(count - 1) * deviation * Math.sqrt(variance);
}

function forecastOf(use: Use): UntilEmpty {
  const { litres, perDay } = use;
  const days = litres / perDay;
  const half = halfOf(use);
  // If it goes on growing it is empty earlier, if it goes on falling later: both are within the range.
  const moved = use.trend ? daysByTrend(litres, use.trend) : days;
  const earliest = (Math.min(days, moved ?? days) * perDay) / (perDay + half);
  const latest = perDay > half && moved !== null ? (Math.max(days, moved) * perDay) / (perDay - half) : null;
  return {
    days: toTenth(days),
    earliest: toTenth(earliest),
    latest: latest === null || latest > 10 * UNTIL_EMPTY.longestDays ? null : toTenth(latest),
    litresPerDay: Math.round(perDay),
    confidence: confidenceOf(use, half / perDay),
    basis: basisOf(use),
  };
}

function confidenceOf({ count, fills, pump, trend }: Use, relative: number): Confidence {
  if (pump.isAutomatic || fills > 1) return 'low';
  if (count >= 10 && relative <= 0.25 && fills === 0 && !trend) return 'high';
  return count >= 5 && relative <= 0.6 ? 'medium' : 'low';
}

function basisOf({ litres, perDay, count, hasChanged, trend, fills, pump }: Use): string {
  const use = `Half of the last ${count} days took more than ${wholeText(perDay)} L, half less; it holds about ${wholeText(litres)} L.`;
  const moves = trend ? ` Use ${trend.slope > 0 ? 'grows' : 'falls'} from day to day.` : '';
  const changed = hasChanged ? ' The days before were of another use.' : moves;
  const filled = fills === 0 ? '' : ` It was filled ${fills === 1 ? 'once' : `${fills} times`} meanwhile.`;
  if (!pump.isAutomatic) return `${use}${changed}${filled}`;
  if (pump.daysRun > 0) return `${use}${changed} Its pump runs and doesn't keep up.`;
  return `${use}${changed}${filled} Its pump, which starts by itself, has not run.`;
}
