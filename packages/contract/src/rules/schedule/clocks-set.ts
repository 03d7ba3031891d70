import type { ClockSeam } from './clock-seams.ts';

const DAY_MINUTES = 1440;

/** What a sprinkler last said of its clock: seconds that it is fast of the farm's, and when, epoch ms. */
export interface ClockReport {
  readonly driftS: number;
  readonly at: number;
}

/** Sprinklers after a change of the farm's clock. The parts make up `total`. */
export interface ClocksSet {
  readonly total: number;
  /** Their last word since the change is by the new time. */
  readonly set: number;
  /** It is not: by the old time, or off for another reason. */
  readonly off: number;
  /** They have said nothing of their clocks since. */
  readonly unheard: number;
}

/** Who goes by the new time. Nearer to it than to the old one counts as set. Null: a sprinkler that never spoke of its clock. */
export function clocksSet(
  { at, fromMin, toMin }: ClockSeam,
  reports: readonly (ClockReport | null)[],
): ClocksSet {
  const jump = (toMin - fromMin + DAY_MINUTES) % DAY_MINUTES;
  const halfS = Math.min(jump, DAY_MINUTES - jump) * 30;
  const since = reports.flatMap((report) => (report !== null && report.at >= at ? [report] : []));
  const set = since.filter(({ driftS }) => Math.abs(driftS) < halfS).length;
  return {
    total: reports.length,
    set,
    off: since.length - set,
    unheard: reports.length - since.length,
  };
}
