/** A unit's clock and ours may be this far apart, ms. */
const CLOCK_TOLERANCE_MS = 60_000;
const MINUTE_MS = 60_000;

/** A unit reports a valve that moved at once; a report that is later than this found it closed, ms. */
const FOUND_AFTER_MS = 5 * MINUTE_MS;

export const closedByOff = 'Closed by a Valve Off command.';

export interface OpenValve {
  openedAt: Date;
  closesBy: Date;
  /** When a Valve Off for it was sent or carried out, if one was. */
  offAt: Date | null;
}

/** Why a valve that was opened by a command is closed, as far as can be known from a report made at `reportedAt`. */
export function whyClosed({ openedAt, closesBy, offAt }: OpenValve, reportedAt: Date): string {
  if (offAt && offAt.getTime() <= reportedAt.getTime() + CLOCK_TOLERANCE_MS) return closedByOff;
  const late = reportedAt.getTime() - closesBy.getTime();
  const limit = Math.round((closesBy.getTime() - openedAt.getTime()) / MINUTE_MS);
  if (late > FOUND_AFTER_MS) return `Reported closed after its limit of ${limit} min had passed.`;
  if (late >= -CLOCK_TOLERANCE_MS) return `Closed by its own limit of ${limit} min.`;
  return `Closed by the unit itself, before its limit of ${limit} min.`;
}

/** What is to be said of a valve that nobody has reported closed; empty while it may be open. */
export function whyStillOpen(closesBy: Date, now: Date): string {
  return now.getTime() <= closesBy.getTime() + CLOCK_TOLERANCE_MS
    ? ''
    : 'It should have closed by itself, but the unit has not reported it yet.';
}
