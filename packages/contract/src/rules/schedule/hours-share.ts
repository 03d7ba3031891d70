import type { FlowStep } from './flow-profile.ts';
import { DAY_MINUTES, type DayWindow } from './plan.ts';

/** How much of a plan's water runs in some hours of the day. */
export interface HoursShare {
  /** 0 to 1. */
  readonly share: number;
  /** A start with which more of it does, minute of the day; null: there is none that is worth it. */
  readonly startMin: number | null;
  /** The share with that start. */
  readonly shareThen: number;
}

/** Less more is not worth another start. */
const WORTH = 0.05;

/**
 * Of a plan that begins at `startMin` and is moved as a whole by another start, as all are that keep to no limits. `flow`: over its
 * cycle. Null: it draws no water.
 */
export function hoursShare(
  flow: readonly FlowStep[],
  cycleMin: number,
  startMin: number,
  hours: DayWindow,
): HoursShare | null {
  const all = litres(flow, cycleMin, () => 1);
  if (all === 0) return null;
  const shareAt = (start: number) => {
    const isIn = minutesIn(hours, start - startMin);
    return litres(flow, cycleMin, isIn) / all;
  };
  const [share, shareThen] = [shareAt(startMin), shareAt(hours.fromMin)];
  return shareThen >= share + WORTH
    ? { share, startMin: hours.fromMin, shareThen }
    : { share, startMin: null, shareThen: share };
}

/** What is drawn in minutes of the cycle that count, in L/s min. */
function litres(flow: readonly FlowStep[], cycleMin: number, counts: (minute: number) => number): number {
  let sum = 0;
  for (const [step, { fromMin, lps }] of flow.entries()) {
    if (lps === 0) continue;
    const to = flow[step + 1]?.fromMin ?? cycleMin;
    for (let minute = fromMin; minute < to; minute += 1) sum += lps * counts(minute);
  }
  return sum;
}

/** Whether a minute of the cycle lies in these hours once the plan is moved by so many minutes. */
const minutesIn =
  ({ fromMin, toMin }: DayWindow, by: number) =>
  (minute: number): number => {
    const ofDay = (((minute + by) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
    const isIn = fromMin < toMin ? fromMin <= ofDay && ofDay < toMin : ofDay >= fromMin || ofDay < toMin;
    return Number(isIn);
  };
