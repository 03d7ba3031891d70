import type { FlowStep } from './flow-profile.ts';
import { DAY_MINUTES, type DayWindow } from './plan.ts';

/** How much of a plan's water runs in some hours of the day. */
export interface HoursShare {
  /** 0 to 1. */
  readonly share: number;
  /** A better start, minute of the day; null: there is none that is worth it. */
  readonly startMin: number | null;
  /** The share with that start. */
  readonly shareThen: number;
}

/** A smaller difference is not worth another start. */
const WORTH = 0.05;
/** Starts that are tried, min apart. */
const TRIED_MIN = 30;

/**
 * Of a plan that begins at `startMin` and is moved as a whole by another start, as all are that keep to no limits. `flow`: over its
 * cycle. The start that is told brings more of it into the hours. Null: it draws no water.
 */
export function hoursShare(
  flow: readonly FlowStep[],
  cycleMin: number,
  startMin: number,
  hours: DayWindow,
): HoursShare | null {
  const shareAt = shares(flow, cycleMin, startMin, [hours]);
  if (!shareAt) return null;
  const [share, shareThen] = [shareAt(startMin), shareAt(hours.fromMin)];
  return shareThen >= share + WORTH
    ? { share, startMin: hours.fromMin, shareThen }
    : { share, startMin: null, shareThen: share };
}

/** The same of hours in which it had better not run: the start that is told, the next one that does, leaves least in them. */
export function hoursToLeave(
  flow: readonly FlowStep[],
  cycleMin: number,
  startMin: number,
  hours: readonly DayWindow[],
): HoursShare | null {
  const shareAt = shares(flow, cycleMin, startMin, hours);
  if (!shareAt) return null;
  const share = shareAt(startMin);
  let [best, shareThen]: [number | null, number] = [null, share - WORTH];
  for (let later = TRIED_MIN; later < DAY_MINUTES; later += TRIED_MIN) {
    const start = (startMin + later) % DAY_MINUTES;
    const then = shareAt(start);
    if (best === null ? then <= shareThen : then < shareThen) [best, shareThen] = [start, then];
  }
  return best === null ? { share, startMin: null, shareThen: share } : { share, startMin: best, shareThen };
}

/** The share that runs in these hours when the plan begins at a minute of the day; null: it draws no water. */
function shares(
  flow: readonly FlowStep[],
  cycleMin: number,
  startMin: number,
  hours: readonly DayWindow[],
): ((start: number) => number) | null {
  const drawn = drawnByMinute(flow, cycleMin);
  const all = drawn.reduce((sum, lps) => sum + lps, 0);
  if (all === 0) return null;
  const isIn = Array.from({ length: DAY_MINUTES }, (_, minute) => hours.some((one) => isWithin(one, minute)));
  return (start) => {
    const by = start - startMin + DAY_MINUTES;
    return drawn.reduce((sum, lps, minute) => sum + (isIn[(minute + by) % DAY_MINUTES] ? lps : 0), 0) / all;
  };
}

/** The flow of all days and rounds at each minute of the day, L/s together. */
function drawnByMinute(flow: readonly FlowStep[], cycleMin: number): number[] {
  const drawn = Array<number>(DAY_MINUTES).fill(0);
  const rounds = Math.max(1, Math.floor(DAY_MINUTES / cycleMin));
  for (const [step, { fromMin, lps }] of flow.entries()) {
    const to = flow[step + 1]?.fromMin ?? cycleMin;
    if (lps === 0) continue;
    for (let minute = fromMin; minute < to; minute += 1)
      for (let round = 0; round < rounds; round += 1) {
        const ofDay = (minute + round * cycleMin) % DAY_MINUTES;
        drawn[ofDay] = (drawn[ofDay] ?? 0) + lps;
      }
  }
  return drawn;
}

const isWithin = ({ fromMin, toMin }: DayWindow, minute: number): boolean =>
  fromMin < toMin ? fromMin <= minute && minute < toMin : minute >= fromMin || minute < toMin;

/** Minutes of a watering that begins at `start` (minute of the day) that lie in some hours of each day. */
export function minutesIn({ fromMin, toMin }: DayWindow, start: number, minutes: number): number {
  const long = (toMin - fromMin + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  let found = 0;
  for (let from = fromMin - DAY_MINUTES; from < start + minutes; from += DAY_MINUTES)
    found += Math.max(0, Math.min(from + long, start + minutes) - Math.max(from, start));
  return found;
}

/** More drifts water off what it is for, km/h at 10 m. */
export const WINDY_KMH = 20;

/** Hours of the day in which the wind is usually above that, by each hour's usual wind; those that follow one another together. */
export function windyHours(kmhByHour: readonly number[]): DayWindow[] {
  const isWindy = (hour: number) => (kmhByHour[(hour + 24) % 24] ?? 0) > WINDY_KMH;
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  if (hours.every(isWindy)) return [{ fromMin: 0, toMin: DAY_MINUTES }];
  return hours
    .filter((hour) => isWindy(hour) && !isWindy(hour - 1))
    .map((from) => {
      let to = from;
      while (isWindy(to)) to += 1;
      return { fromMin: from * 60, toMin: ((to - 1) % 24) * 60 + 60 };
    });
}
