import type { Confidence, LeakSigns } from '../insights.ts';
import { LEAK_FLOW_READINGS, LEAK_NIGHT_PERCENT, LEAK_WATCH, NIGHT_HOURS } from '../limits.ts';
import type { Timezone } from '../farms.ts';
import { addDays, dayStart, hourOfDay, hourStart } from './farm-time.ts';
import { counted, type Rolled, toTenth } from './rolled.ts';
import { twoFigures } from './two-figures.ts';
import { wholeText } from './number-text.ts';
import { deviationFrom, median } from './spread.ts';
import { isValidLevel, litresOfFall, type TankShape } from './tank.ts';

const HOUR = 3_600_000;

/** The hours of one farm night from 02:00 to 06:00; three or five of them when the clock changes. Epoch ms. */
export interface Night {
  from: number;
  to: number;
}

/** What a meter did in one hour, L/min; `least`: its smallest flow that was seen. */
export interface FlowHourMean {
  at: number;
  readings: number;
  least: number;
  mean: number;
}

/** The last nights that are over, newest first. */
export function nightsBefore(zone: Timezone, now: number): Night[] {
  const today = dayStart(zone, now);
  const nights: Night[] = [];
  for (let back = 0; nights.length < LEAK_WATCH.nights && back <= LEAK_WATCH.nights; back += 1) {
    const night = nightOf(zone, addDays(zone, today, -back));
    if (night && night.to <= now) nights.push(night);
  }
  return nights;
}

function nightOf(zone: Timezone, day: number): Night | null {
  const hours: number[] = [];
  for (let at = hourStart(zone, day); hours.length < 26; at += HOUR / 2) {
    const hour = hourOfDay(zone, at);
    if (dayStart(zone, at) > day || hour >= NIGHT_HOURS.to) break;
    if (hour >= NIGHT_HOURS.from && dayStart(zone, at) === day) hours.push(at);
  }
  const [first, last] = [hours[0], hours.at(-1)];
  return first === undefined || last === undefined ? null : { from: first, to: last + HOUR / 2 };
}

const within = <T extends { at: number }>(rows: readonly T[], { from, to }: Night): T[] =>
  rows.filter(({ at }) => at >= from && at < to);

/**
 * Water that flows all night: a leak, or something that is left on. A night counts when at least three of its hours have
 * readings enough; it flows when the least flow seen is above 0. Signs are told when the newest such night flows, and count
 * from the first of the nights in a row that do; nights of which too little is known are passed over. Nor does a night count after which
 * the meter stood still for an hour by day: a leak goes on, irrigation by night does not. By day, since a float that sticks while nobody
 * drinks may stand in the evening. Litres per hour: the median of these nights' least flows, times 60; litres so far: that rate since 02:00 of the first night.
 *
 * A pump or irrigation that ran by night (`drawn`), or a flow of more than half of the highest by day, is named and lowers the confidence. A leak
 * below one pulse an hour isn't seen; a house or trough that always draws looks like one.
 */
export function nightFlow(
  hours: readonly FlowHourMean[],
  nights: readonly Night[],
  drawn: readonly Night[],
  now: number,
): LeakSigns | null {
  const known = nights.flatMap((night) => {
    const rows = within(hours, night).filter(({ readings }) => readings >= LEAK_FLOW_READINGS);
    return rows.length < LEAK_WATCH.leastHours
      ? []
      : [{ ...night, rate: Math.min(...rows.map(({ least }) => least)) }];
  });
  const byDay = (at: number) => nights.some(({ to }) => at >= to && at < to + LEAK_WATCH.dayHours * HOUR);
  const stoodAt = Math.max(
    0,
    ...hours.flatMap((hour) => (standsStill(hour) && byDay(hour.at) ? hour.at : [])),
  );
  const run = runOf(known, ({ from, rate }) => rate > 0 && from > stoodAt);
  const first = run.at(-1);
  const perMinute = median(run.map(({ rate }) => rate));
  if (!first || perMinute === null) return null;
  const others = hours.filter((hour) => !nights.some((night) => within([hour], night).length > 0));
  const inUse = Math.max(0, ...others.map(({ mean }) => mean));
  const doubts = [
    ...drawnIn(run, drawn),
    ...(perMinute > LEAK_WATCH.useShare * inUse ? ['by day it hardly flows more'] : []),
  ];
  const confidence = confidenceOf(run.length, 0);
  return signsOf('night-flow', run, { litresPerHour: perMinute * 60, confidence, doubts }, now);
}

const standsStill = ({ readings, mean }: FlowHourMean) => readings >= LEAK_FLOW_READINGS && mean === 0;

/**
 * A level that falls between 02:00 and 06:00 while nothing is known to draw: by more than 2 % in the newest night (as the
 * tank's own leak mark), or by more than 0.5 % in each of three nights in a row and more. It has to fall so much all night:
 * what one hour takes alone, as milking at five, isn't counted. Litres per hour: the median of what these nights lost
 * steadily. The more the nights differ, the lower the confidence: a leak runs as fast every night, stock drink as they like.
 *
 * Null without a volume, and where levels were invalid. A clamped, frozen or silent sensor shows no fall. Stock that drink by
 * night, and water that cools, look like a small leak.
 */
export function nightFall(
  shape: TankShape,
  hours: readonly Rolled[],
  nights: readonly Night[],
  drawn: readonly Night[],
  now: number,
): LeakSigns | null {
  if (!(shape.volume > 0)) return null;
  const known = nights.flatMap((night) => {
    const fall = fallOf(shape, within(hours, night));
    return fall ? [{ ...night, ...fall }] : [];
  });
  const run = runOf(known, ({ percent }) => percent > LEAK_WATCH.fallPercent);
  const isSeen = run.length >= LEAK_WATCH.fallNights || (run[0]?.percent ?? 0) > LEAK_NIGHT_PERCENT;
  const rates = run.map(({ litresPerHour }) => litresPerHour);
  const rate = median(rates);
  if (!isSeen || rate === null) return null;
  const confidence = confidenceOf(run.length, deviationFrom(rate, rates) / rate);
  return signsOf('night-fall', run, { litresPerHour: rate, confidence, doubts: drawnIn(run, drawn) }, now);
}

function fallOf(
  shape: TankShape,
  rows: readonly Rolled[],
): { percent: number; litresPerHour: number } | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < LEAK_WATCH.leastHours) return null;
  if (rows.some(({ min, max }) => !isValidLevel(shape, min) || !isValidLevel(shape, max))) return null;
  const hours = (last.lastAt - first.firstAt) / HOUR;
  const steady = steadyFall(rows);
  if (hours <= 0 || steady === null) return null;
  const mm = Math.min(first.firstValue - last.lastValue, steady * hours);
  return { percent: (100 * mm) / shape.toplevel, litresPerHour: litresOfFall(shape, steady) };
}

/** mm an hour that the level fell all the time: the middle one of the falls from hour to hour, of two the lesser. */
function steadyFall(rows: readonly Rolled[]): number | null {
  const falls = rows.slice(1).flatMap((row, index) => {
    const before = rows[index];
    const hours = before ? (middleOf(row) - middleOf(before)) / HOUR : 0;
    return before && hours > 0 ? [(before.sum / before.n - row.sum / row.n) / hours] : [];
  });
  return falls.toSorted((a, b) => a - b)[Math.floor((falls.length - 1) / 2)] ?? null;
}

const middleOf = ({ firstAt, lastAt }: Rolled) => (firstAt + lastAt) / 2;

/** From the newest night back to the first that doesn't count. */
function runOf<T>(nights: readonly T[], counts: (night: T) => boolean): T[] {
  const end = nights.findIndex((night) => !counts(night));
  return nights.slice(0, end === -1 ? nights.length : end);
}

function drawnIn(run: readonly Night[], drawn: readonly Night[]): string[] {
  const count = run.filter(({ from }) => drawn.some((night) => night.from === from)).length;
  return count === 0 ? [] : [`a pump or valve ran in ${counted(count, 'night')} of these`];
}

interface Estimate {
  litresPerHour: number;
  /** Where there are no doubts. */
  confidence: Confidence;
  doubts: readonly string[];
}

function signsOf(
  kind: LeakSigns['kind'],
  run: readonly Night[],
  { litresPerHour, confidence, doubts }: Estimate,
  now: number,
): LeakSigns {
  const since = run.at(-1)?.from ?? now;
  // Wherever it is told it is made of this one, so that all say the same.
  const rate = toTenth(litresPerHour);
  const what = kind === 'night-flow' ? 'It flowed without a stop' : 'The level fell';
  const isAll = run.length === LEAK_WATCH.nights ? ', perhaps longer' : '';
  const doubt = doubts.length > 0 ? ` But ${doubts.join(', and ')}.` : '';
  return {
    kind,
    since: new Date(since).toISOString(),
    litresPerHour: rate,
    litresSoFar: Math.round((litresPerHour * (now - since)) / HOUR),
    confidence: doubts.length > 0 ? 'low' : confidence,
    basis: `${what} between 02:00 and 06:00 in ${counted(run.length, 'night')}${isAll}, by about ${wholeText(twoFigures(rate))} L an hour.${doubt}`,
  };
}

/** `spread`: standard deviation of the nights' rates, as a share of the rate. */
function confidenceOf(nights: number, spread: number): Confidence {
  if (nights >= 4 && spread <= LEAK_WATCH.spread.high) return 'high';
  return nights >= 2 && spread <= LEAK_WATCH.spread.medium ? 'medium' : 'low';
}
