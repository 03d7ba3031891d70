/** How fast the units of a gateway answer, and what follows for a send to many of them. */

/** An answer of a unit through a gateway: when (epoch ms), and how many others the gateway still had then. */
export interface AnswerSeen {
  readonly at: number;
  readonly waiting: number;
}

/** Seconds for each unit: as a mean, and in the quickest and the slowest stretch of ten answers. */
export interface Pace {
  readonly secondsEach: number;
  readonly low: number;
  readonly high: number;
  /** Answers that it rests on; below `ENOUGH_ANSWERS` the promise of three minutes stands for it. */
  readonly from: number;
}

/** Answers that are kept of a gateway. */
export const ANSWERS_KEPT = 100;
/** Fewer say nothing of the next ones. */
export const ENOUGH_ANSWERS = 10;
const MEAN_OF = 30;
/** Answers come in bursts: a mean that rests on less, s, is of one burst. */
const MEAN_OVER_S = 60;
const BLOCK = 10;
/** What a unit is promised to take at most, s. */
const PROMISED_S = 180;
/** A longer pause with units waiting was no work of the radio's: the gateway was away, ms. */
const PAUSE_MS = 30 * 60_000;
/** Radio work that a gateway is given at a time, s, and units, so that a stop or a cancel never waits for more. */
const WINDOW_S = 120;
const WINDOW_UNITS = { least: 2, most: 100 };

/** Means and not medians: asking silent units again is what takes the time. A pause in which no unit waited doesn't count. */
export function paceOf(answers: readonly AnswerSeen[]): Pace {
  const gaps = busyGaps(answers);
  if (gaps.length < ENOUGH_ANSWERS)
    return { secondsEach: PROMISED_S, low: PROMISED_S, high: PROMISED_S, from: gaps.length };
  const secondsEach = meanOf(latestOf(gaps));
  const blocks = blocksFromTheEnd(gaps).map(meanOf);
  return {
    secondsEach,
    low: Math.min(secondsEach, ...blocks),
    high: Math.max(secondsEach, ...blocks),
    from: gaps.length,
  };
}

/** The last thirty, and as many more as it takes for a minute. */
function latestOf(gaps: readonly number[]): readonly number[] {
  let [start, seconds] = [gaps.length, 0];
  while (start > 0 && (gaps.length - start < MEAN_OF || seconds < MEAN_OVER_S)) seconds += gaps[--start] ?? 0;
  return gaps.slice(start);
}

/** Seconds between answers, oldest first, while others waited; of the last `kept`. */
export function busyGaps(answers: readonly AnswerSeen[], kept = ANSWERS_KEPT): number[] {
  const sorted = answers.toSorted((a, b) => a.at - b.at).slice(-kept - 1);
  return sorted.slice(1).flatMap(({ at }, index) => {
    const before = sorted[index];
    const gap = before ? at - before.at : 0;
    return before && before.waiting > 0 && gap <= PAUSE_MS ? [gap / 1000] : [];
  });
}

function blocksFromTheEnd(gaps: readonly number[]): number[][] {
  return Array.from({ length: Math.min(10, Math.floor(gaps.length / BLOCK)) }, (_, index) =>
    gaps.slice(gaps.length - (index + 1) * BLOCK, gaps.length - index * BLOCK),
  );
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Units of a send that a gateway is given at a time: about two minutes of its radio's work, from 2 to 100. */
export function windowOf({ secondsEach }: Pace): number {
  const units = Math.round(WINDOW_S / Math.max(secondsEach, 0.001));
  return Math.min(WINDOW_UNITS.most, Math.max(WINDOW_UNITS.least, units));
}

/** Epoch ms. `atMost` where too few answers are known to say more. */
export type Finish =
  | { readonly expected: number; readonly low: number; readonly high: number }
  | { readonly atMost: number };

/** When a gateway will have done so many units, those ahead of them included. */
export function finishOf(units: number, pace: Pace, now: number): Finish {
  const after = (secondsEach: number) => now + Math.round(units * secondsEach * 1000);
  if (pace.from < ENOUGH_ANSWERS) return { atMost: after(pace.secondsEach) };
  return { expected: after(pace.secondsEach), low: after(pace.low), high: after(pace.high) };
}

/** Gateways work side by side: the last of them decides. Null of none. */
export function latestFinish(finishes: readonly Finish[]): Finish | null {
  if (finishes.length === 0) return null;
  const latest = (of: (finish: Finish) => number) => Math.max(...finishes.map(of));
  if (finishes.some((finish) => 'atMost' in finish))
    return { atMost: latest((finish) => ('atMost' in finish ? finish.atMost : finish.high)) };
  const ranges = finishes.flatMap((finish) => ('atMost' in finish ? [] : [finish]));
  return {
    expected: Math.max(...ranges.map(({ expected }) => expected)),
    low: Math.max(...ranges.map(({ low }) => low)),
    high: Math.max(...ranges.map(({ high }) => high)),
  };
}

/** How many of `units` have their turn within so many minutes, behind `ahead` others. */
export function inTimeOf(units: number, ahead: number, pace: Pace, minutes: number): number {
  const turns = Math.floor((minutes * 60) / Math.max(pace.secondsEach, 0.001));
  return Math.max(0, Math.min(units, turns - ahead));
}

/** A gateway whose units have not answered for so many turns, and for so long, ms, is as fast as nobody knows. */
const SILENT_TURNS = 10;
const SILENT_MS = 2 * 60_000;
/** Answers that came within less, s, were told together, as after a gateway was away. */
const TOGETHER_S = 20;

/**
 * Units a minute that answer a command, by when (epoch ms) they did so through each gateway that is still at it: these work side by side.
 * Null where too few have answered through one of them, where one has gone silent, and where answers only came all at once.
 */
export function perMinuteOf(byGateway: readonly (readonly number[])[], now: number): number | null {
  const rates = byGateway.map((times) => rateOf(times, now));
  return rates.length === 0 || rates.includes(null)
    ? null
    : rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0);
}

function rateOf(times: readonly number[], now: number): number | null {
  const gaps = latestOf(
    busyGaps(
      times.map((at) => ({ at, waiting: 1 })),
      times.length,
    ),
  );
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0);
  if (gaps.length < ENOUGH_ANSWERS || seconds < TOGETHER_S) return null;
  const each = seconds / gaps.length;
  const silent = (now - times.reduce((newest, at) => Math.max(newest, at), 0)) / 1000;
  if (silent > Math.max(SILENT_MS / 1000, SILENT_TURNS * each)) return null;
  // Beyond the next one's turn, waiting for it belongs to it: after a burst as many don't go on answering.
  return (60 * gaps.length) / (seconds + Math.max(0, silent - each));
}
