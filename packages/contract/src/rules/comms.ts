import { median } from './spread.ts';

/** A reporting interval as a device told it. Epoch ms; min. */
export interface ReportedInterval {
  at: number;
  minutes: number;
}

export interface ReportTimes {
  /** When a device was heard in the last two days, and the time before, oldest first, epoch ms. */
  times: readonly number[];
  /** Oldest first; none: it doesn't say. */
  intervals: readonly ReportedInterval[];
}

export interface CommsHealth {
  /** min; null: not known. */
  interval: number | null;
  /** Of the reports that the last 24 hours should have had, from 0 to 1. */
  quality: number | null;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Silences beside one that say what rhythm it was in. */
const BESIDE = 5;

/**
 * How regularly a device is heard. Each silence is held against the rhythm of its own time: the interval that the device
 * had told by then, else the usual one of the five silences before it or after it, whichever is longer, so that a change of
 * rhythm is no fault. Two reports are needed to know anything.
 */
export function observedComms({ times, intervals }: ReportTimes, now: number): CommsHealth {
  const gaps = times.slice(1).map((to, index) => ({ from: times[index] ?? to, to }));
  const lengths = gaps.map(({ from, to }) => to - from);
  const usualOf = (some: readonly number[]) => median(some) ?? 0;
  const usual = usualOf(lengths.slice(-2 * BESIDE - 1));
  const last = times.at(-1);
  if (last === undefined || usual <= 0) return { interval: null, quality: null };
  const since = now - DAY;
  const counts = { received: 0, expected: 0 };
  for (const [index, { from, to }] of gaps.entries()) {
    if (to <= since) continue;
    const beside = Math.max(
      usualOf(lengths.slice(Math.max(0, index - BESIDE), index)),
      usualOf(lengths.slice(index + 1, index + 1 + BESIDE)),
    );
    const rhythm = rhythmOf(intervals, { from, to }, beside || (lengths[index] ?? usual));
    counts.received += 1;
    counts.expected += Math.max(1, Math.round((to - Math.max(from, since)) / rhythm));
  }
  // The first report of all was expected as it came.
  if ((times[0] ?? 0) > since) {
    counts.received += 1;
    counts.expected += 1;
  }
  const silence = now - Math.max(last, since);
  counts.expected += Math.max(
    0,
    Math.floor(silence / rhythmOf(intervals, { from: last, to: now }, usual) - 0.5),
  );
  // None was due of one that reports once in days.
  const quality = counts.expected === 0 ? null : counts.received / counts.expected;
  return { interval: usual / MINUTE, quality };
}

/** Told before and after: the longer. After the last one was told it may have changed again, as reports show. ms */
function rhythmOf(
  intervals: readonly ReportedInterval[],
  silence: { from: number; to: number },
  observed: number,
): number {
  const before = intervals.findLast((one) => one.at <= silence.from);
  if (!before || before.minutes <= 0) return observed;
  const after = intervals.find((one) => one.at >= silence.to);
  return Math.max(before.minutes * MINUTE, after ? after.minutes * MINUTE : observed);
}
