import { LEVEL_USE } from '../limits.ts';

/** A level that can be, mm above the sensor, epoch ms. */
export interface LevelReading {
  at: number;
  mm: number;
}

/** What is known of a sensor, mm. */
interface Noise {
  /** Standard deviation. */
  noise: number;
  /** Of which all its changes are whole multiples; 0: of none. */
  step: number;
  /** Half of the width within which its readings say nothing new. */
  band: number;
}

/** What is remembered of a sensor from one day to the next, mm. */
export interface LevelMemory extends Noise {
  /** The level that counts. */
  held: number;
  /** Which way it moved last (1 up, -1 down, 0 not yet), and how many readings it has stood since. */
  way: number;
  still: number;
}

/** What left and what came between two readings, mm. Epoch ms. */
export interface LevelMove {
  from: number;
  to: number;
  fall: number;
  rise: number;
}

/**
 * What left a tank and what came into it on one day, by its level: the good readings of the day in order of time, and the one
 * before them. The level that counts follows a reading only as far as it lies outside a band (as a gear with play does): noise
 * within the band moves nothing, and a slow fall moves it as far as it goes, however slow. Where it turns, what the band
 * hid is made good, less what noise will have reached in the readings that it stood for. Day by day the band follows what
 * the sensor's noise was on the days before; on the first day it is that day's own.
 */
export function levelMoves(
  memory: LevelMemory | null,
  before: LevelReading | null,
  readings: readonly LevelReading[],
): { moves: LevelMove[]; memory: LevelMemory | null } {
  const all = before ? [before, ...readings] : readings;
  const own = noiseOf(all);
  const { noise, step, band } = memory ?? own ?? unknown;
  const kept = withoutSpikes(all, band);
  const [first] = kept;
  if (!first) return { moves: [], memory };
  const state = memory ? { ...memory } : { held: first.mm, noise, step, band, way: 0, still: 0 };
  const moves = kept.slice(1).map(
    (reading, index): LevelMove => ({
      from: kept[index]?.at ?? reading.at,
      to: reading.at,
      ...follow(state, reading.mm),
    }),
  );
  return { moves, memory: own ? { ...state, ...learned(memory, own) } : state };
}

/** Moves the level that counts as far as a reading lies outside the band, and says what that fell or rose. */
function follow(state: LevelMemory, mm: number): { fall: number; rise: number } {
  const { noise, band, still, held } = state;
  const after = Math.min(mm + band, Math.max(mm - band, held));
  const change = after - held;
  if (change === 0) {
    state.still += 1;
    return { fall: 0, rise: 0 };
  }
  const way = Math.sign(change);
  const hidden = way === state.way ? 0 : Math.max(0, band - noise * furthestOf(still + 1));
  const hiddenBefore = state.way === 0 ? 0 : hidden;
  Object.assign(state, { held: after, way, still: 0 });
  return way < 0
    ? { fall: hidden - change, rise: hiddenBefore }
    : { fall: hiddenBefore, rise: hidden + change };
}

/** How many standard deviations the furthest of so many readings lies off, on average: within a tenth up to thousands. */
const furthestOf = (count: number): number => Math.max(0, Math.sqrt(2 * Math.log(count)) - 0.6);

const unknown: Noise = { noise: 0, step: 0, band: 0 };

/** One day moves what is known by a quarter: a day of splashing isn't another sensor. */
function learned(known: Noise | null, today: Noise & { count: number }): Noise {
  const part = known ? LEVEL_USE.learns : 1;
  const noise = (known?.noise ?? 0) * (1 - part) + today.noise * part;
  const step = today.step || (known?.step ?? 0);
  return { noise, step, band: bandOf(noise, step, today.count) };
}

/** What so many readings of a day reach by chance, and one deviation more for what isn't known of it; a step either way at least. */
const bandOf = (noise: number, step: number, count: number): number =>
  Math.min(LEVEL_USE.bandMaxMm, Math.max(step, noise * (Math.sqrt(2 * Math.log(count)) + 1)));

/**
 * Noise and step of a sensor by one day's readings. Noise is how far they lie off the line between their neighbours, which is
 * nothing for a steady fall; the quieter half of them tells it, so that draws and fills don't. Null of too few readings.
 */
export function noiseOf(readings: readonly LevelReading[]): (Noise & { count: number }) | null {
  const off = readings.slice(2).flatMap((next, index) => {
    const [before, here] = [readings[index], readings[index + 1]];
    if (!before || !here || next.at - before.at > LEVEL_USE.nearMs) return [];
    const share = (here.at - before.at) / (next.at - before.at);
    const line = before.mm + share * (next.mm - before.mm);
    return [Math.abs(here.mm - line) / Math.sqrt(1 + share ** 2 + (1 - share) ** 2)];
  });
  const count = off.length;
  if (count < LEVEL_USE.leastReadings) return null;
  const quieter = off.toSorted((a, b) => a - b).slice(0, Math.ceil(count / 2));
  const step = stepOf(readings);
  const noise = Math.max(mean(quieter) / QUIETER_HALF_OF_NORMAL, flickerOf(off, step));
  return { noise, step, band: bandOf(noise, step, count), count };
}

/**
 * Noise of a sensor that flickers between two steps, mm. The quieter half of such readings doesn't move at all, so it says
 * nothing; what lies off by more than the step beside it is a draw or a fill.
 */
function flickerOf(off: readonly number[], step: number): number {
  const flicker = off.filter((value) => value <= LEVEL_USE.flickerSteps * step);
  return Math.sqrt(mean(flicker.map((value) => value ** 2)));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Mean distance of the quieter half of normally spread values, in standard deviations. */
const QUIETER_HALF_OF_NORMAL = 0.3247;

/** The step of which all changes are whole multiples, mm; 0 of a sensor that shows none, or moved too seldom. */
function stepOf(readings: readonly LevelReading[]): number {
  const moved = readings
    .slice(1)
    .map(({ mm }, index) => Math.abs(mm - (readings[index]?.mm ?? mm)))
    .filter((change) => change > LEVEL_USE.dustMm);
  const step = moved.reduce((least, change) => Math.min(least, change), Infinity);
  if (moved.length < LEVEL_USE.leastSteps || step > LEVEL_USE.stepMaxMm) return 0;
  const isWhole = (change: number) =>
    Math.abs(change / step - Math.round(change / step)) < LEVEL_USE.wholeWithin;
  return moved.every(isWhole) ? step : 0;
}

/** A single reading far off both of its neighbours, which agree and are minutes apart, is a fault and no draw. */
function withoutSpikes(readings: readonly LevelReading[], band: number): LevelReading[] {
  const agree = Math.max(2 * band, LEVEL_USE.spikeMm / 2);
  const far = Math.max(4 * band, LEVEL_USE.spikeMm);
  return readings.filter(({ mm }, index) => {
    const [before, next] = [readings[index - 1], readings[index + 1]];
    if (!before || !next || next.at - before.at > LEVEL_USE.spikeMs) return true;
    if (Math.abs(next.mm - before.mm) > agree) return true;
    return Math.min(Math.abs(mm - before.mm), Math.abs(mm - next.mm)) < far;
  });
}
