const MINUTE_MS = 60_000;

/** A unit's clock, its gateway's and ours may be this far apart, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

export const closedByOff = 'Closed by a Valve Off command.';
export const openedAgain = 'Opened again by a later command.';

export interface OpenValve {
  openedAt: Date;
  closesBy: Date;
  /** When a Valve Off for it was asked for, if one was, and whether the unit said by the report that it did it. */
  off: { askedAt: Date; isDone: boolean } | null;
}

/**
 * Why a valve that was opened by a command is closed, as far as can be known from a report made at `reportedAt`. Its own
 * limit is named only where the time agrees with it; what else may have closed it is not guessed.
 */
export function whyClosed({ openedAt, closesBy, off }: OpenValve, reportedAt: Date): string {
  const limitMs = closesBy.getTime() - openedAt.getTime();
  const limit = Math.round(limitMs / MINUTE_MS);
  const late = reportedAt.getTime() - closesBy.getTime();
  const isAtLimit = Math.abs(late) <= limitToleranceMs(limitMs);
  const isAsked = off !== null && off.askedAt <= reportedAt;
  if (isAsked && (off.isDone || !isAtLimit)) return closedByOff;
  if (isAtLimit)
    return `Closed by its own limit of ${limit} min${isAsked ? ', or by a Valve Off command: which of them is not known' : ''}.`;
  if (late > 0) return `Reported closed after its limit of ${limit} min had passed.`;
  // By the unit's clock the Off was asked for just after the report: its clock may be slow.
  if (off && off.askedAt.getTime() <= reportedAt.getTime() + CLOCK_TOLERANCE_MS) return closedByOff;
  return `Reported closed ${lengthOf(limitMs + late)} after it opened, before its limit of ${limit} min. What closed it is not known.`;
}

/** How far from its limit a valve may be reported closed and still be taken to have closed by it, ms: of a short one not half. */
function limitToleranceMs(limitMs: number): number {
  return Math.min(CLOCK_TOLERANCE_MS, Math.max(10_000, limitMs / 10));
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** What is to be said of a valve that nobody has reported closed; empty while it may be open. */
export function whyStillOpen(closesBy: Date, now: Date): string {
  return now.getTime() <= closesBy.getTime() + CLOCK_TOLERANCE_MS
    ? ''
    : 'It should have closed by itself, but the unit has not reported it yet.';
}
