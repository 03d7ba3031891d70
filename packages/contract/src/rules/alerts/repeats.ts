import type { AlertClass, AlertKind } from './alert-kinds.ts';

const MINUTE_MS = 60_000;
/** From one message to the next until somebody answers, min; the last is for all that follow. */
const GAPS_MIN: Readonly<Record<AlertClass, readonly number[]>> = {
  urgent: [15, 15, 30, 60],
  important: [240],
  info: [],
};
const MOST: Readonly<Record<AlertClass, number>> = { urgent: 12, important: 3, info: 0 };

/** What was, and isn't mended before the next evening: a day later is soon enough. */
const DAILY: readonly AlertKind[] = ['Missed', 'TakeGap'];

/**
 * When what nobody has answered is told again: urgent after 15, 30 and 60 min and then each hour, important each 4 h, a missed watering
 * or a gap of a water take each day. Null: no more.
 */
export function nextRepeat(of: AlertClass, kind: AlertKind, repeated: number, now: number): number | null {
  const gaps = DAILY.includes(kind) && of !== 'info' ? [1440] : GAPS_MIN[of];
  const gap = gaps[Math.min(repeated, gaps.length - 1)];
  const most = DAILY.includes(kind) ? Math.min(3, MOST[of]) : MOST[of];
  return repeated >= most || gap === undefined ? null : now + gap * MINUTE_MS;
}
