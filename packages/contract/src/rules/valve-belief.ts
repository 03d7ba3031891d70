/** A watering by the programme, by the farm's clock. Times in epoch ms. */
export interface ValveRun {
  readonly startAt: number;
  readonly endAt: number;
}

/** What a unit holds, against what it is to hold. */
export const heldStates = ['wanted', 'older', 'foreign', 'nothing', 'unknown'] as const;

/**
 * What is known of a unit's valve. Times in epoch ms; null: nothing is known. Only what this very unit said counts: not what
 * one said that stood at its place before.
 */
export interface ValveFacts {
  /** Its newest report; `since`: the first that said so without one to the contrary since. */
  readonly said: { readonly isOpen: boolean; readonly at: number; readonly since: number } | null;
  /** Its newest report of any kind. */
  readonly heardAt: number | null;
  /** Seconds that its clock is fast, negative when slow. */
  readonly clockS: number | null;
  /** By the programme that it waters by: the run under way, else the last that ended. */
  readonly run: ValveRun | null;
  /** The run by the same programme that covers `said.since`, within `graceMs` at either end. */
  readonly firstReportRun: ValveRun | null;
  /** The one that covers `said.at` in the same way: a closing between the two reports may not have been heard. */
  readonly lastReportRun: ValveRun | null;
  /** A Valve On that was carried out and that nothing ended yet, and when the unit then closes by itself. */
  readonly opening: { readonly openedAt: number; readonly closesBy: number } | null;
  /** The last moment at which a Valve On that went out and was never answered can have begun. */
  readonly unansweredUntil: number | null;
  /** When what that one opened closes by itself at the latest. */
  readonly unansweredClosesBy: number | null;
  /** When a Valve Off was carried out. */
  readonly offAt: number | null;
  /** Which programme it holds, as against the one that is wanted. */
  readonly held: (typeof heldStates)[number];
  readonly isInhibited: boolean;
}

export const beliefStates = ['open', 'closed', 'mayBeOpen', 'openOverdue', 'unknown'] as const;
export type BeliefState = (typeof beliefStates)[number];
/** What a belief rests on: the unit's own report, its answer to a command, or the programme alone. */
export const beliefBases = ['said', 'answered', 'planned', 'none'] as const;
export type BeliefBasis = (typeof beliefBases)[number];
/** Why it is open. `unknown`: nothing that we know of asks for it, and what it holds isn't known. */
export const beliefCauses = ['schedule', 'command', 'foreign', 'unknown', 'none'] as const;
export type BeliefCause = (typeof beliefCauses)[number];

export interface Belief {
  readonly state: BeliefState;
  /** Of `open` and `closed` when it was first said; of `mayBeOpen` the run's start; of `openOverdue` and `unknown` the last word. */
  readonly since: number | null;
  /** When it closes, or should have; null: not known, or closed. */
  readonly until: number | null;
  readonly basis: BeliefBasis;
  readonly cause: BeliefCause;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const GRACE_MS = 5 * MINUTE_MS;
const GRACE_MAX_MS = 30 * MINUTE_MS;

const driftMs = (clockS: number | null) => Math.min(Math.abs(clockS ?? 0) * 1000, GRACE_MAX_MS - GRACE_MS);
/** By how much a run begins and ends later than planned: by a slow clock… */
const lateMs = (clockS: number | null) => ((clockS ?? 0) < 0 ? driftMs(clockS) : 0);
/** …and earlier, by a fast one. */
const earlyMs = (clockS: number | null) => ((clockS ?? 0) > 0 ? driftMs(clockS) : 0);

/** How far a report may lie from what the plan says before the two contradict each other, ms: 5 min and the clock's drift. */
export const graceMs = (clockS: number | null): number => GRACE_MS + driftMs(clockS);

/**
 * What a valve does at `now` (epoch ms), as far as can be concluded. The newest word decides, and of two at the same time the
 * one that says open; a plan alone never opens a valve, and time alone never closes one.
 *
 * | newest word | and | state |
 * |---|---|---|
 * | open | its end is known and not past by more than the grace | `open` until then |
 * | open | its end is past by more | `openOverdue`, until it says closed |
 * | open | no end is known | `open` |
 * | closed | nothing can have begun since | `closed` |
 * | closed before, or none | a run is under way, it isn't inhibited and was heard within 24 h | `mayBeOpen` |
 * | closed before | a run or an unanswered Valve On can have begun since | `unknown` |
 * | none | heard within 24 h, and nothing can have begun since | `closed` |
 * | none | else | `unknown` |
 *
 * The end of an opening is the later of the command's and the run's; a run that begins while the valve is open goes on from there.
 * So does a later one in which it says open: the closing before it may not have been heard, and it is to be open now. A Valve On
 * without an answer may have made an opening longer. By a fast clock a run is over before its time, and no run begins later than
 * planned.
 */
export function valveBelief(facts: ValveFacts, now: number): Belief {
  const reports = reportsOf(facts);
  const isOpen = reports.openAt !== null && reports.openAt >= (reports.closedAt ?? Number.NEGATIVE_INFINITY);
  return isOpen ? openBelief(facts, reports, now) : closedBelief(facts, reports, now);
}

interface Reports {
  /** The newest that says open. */
  readonly openAt: number | null;
  /** The first that says open after the newest that says closed. */
  readonly openSince: number | null;
  readonly closedAt: number | null;
  /** What `closedAt` rests on. */
  readonly closedBy: BeliefBasis;
}

function reportsOf({ said, opening, offAt }: ValveFacts): Reports {
  const saidClosedAt = said && !said.isOpen ? said.at : null;
  const closedAt = newest(saidClosedAt, offAt);
  const opens = [...(said?.isOpen ? [said.since, said.at] : []), ...(opening ? [opening.openedAt] : [])];
  const since = opens.filter((at) => closedAt === null || at >= closedAt);
  return {
    openAt: newest(...opens),
    openSince: since.length > 0 ? Math.min(...since) : null,
    closedAt,
    closedBy: closedAt === null ? 'none' : closedAt === saidClosedAt ? 'said' : 'answered',
  };
}

function newest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((at) => at !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

function openBelief(facts: ValveFacts, reports: Reports, now: number): Belief {
  const { openAt, openSince } = reports;
  const { end, cause } = endOf(facts, reports);
  const basis = isSaidOpen(facts, reports) ? 'said' : 'answered';
  if (end === null) return { state: 'open', since: openSince, until: null, basis, cause };
  return now <= end + graceMs(facts.clockS)
    ? { state: 'open', since: openSince, until: end, basis, cause }
    : { state: 'openOverdue', since: openAt, until: end, basis, cause };
}

/** By a report, and not by one from before it was closed. */
const isSaidOpen = ({ said }: ValveFacts, { closedAt }: Reports): boolean =>
  said !== null && said.isOpen && said.at >= (closedAt ?? said.at);

function endOf(facts: ValveFacts, reports: Reports): { end: number | null; cause: BeliefCause } {
  const { opening, firstReportRun, lastReportRun, run, clockS, held } = facts;
  const { openSince, closedAt } = reports;
  const answered = opening && opening.openedAt >= (openSince ?? 0) ? opening.closesBy : null;
  const byCommand = newest(answered, mayBeLonger(facts, reports));
  const isSaid = isSaidOpen(facts, reports);
  const bySchedule = isSaid ? newest(firstReportRun?.endAt ?? null, lastReportRun?.endAt ?? null) : null;
  const end = newest(byCommand, bySchedule);
  if (end === null) return { end, cause: held === 'foreign' || held === 'unknown' ? held : 'none' };
  const isSinceClosed = run !== null && run.startAt > (closedAt ?? Number.NEGATIVE_INFINITY);
  const isLater = isSinceClosed && run.endAt > end;
  if (isLater && run.startAt <= end + graceMs(clockS)) return { end: run.endAt, cause: 'schedule' };
  return { end, cause: end === byCommand ? 'command' : 'schedule' };
}

/** Until when a Valve On that was never answered may keep it open; null: it was closed after that one's last moment. */
const mayBeLonger = ({ unansweredUntil, unansweredClosesBy }: ValveFacts, { closedAt }: Reports) =>
  unansweredUntil !== null && unansweredUntil > (closedAt ?? Number.NEGATIVE_INFINITY)
    ? unansweredClosesBy
    : null;

function closedBelief(facts: ValveFacts, { closedAt, closedBy }: Reports, now: number): Belief {
  const { run, heardAt, isInhibited } = facts;
  const report = closedAt ?? heardAt;
  const closed = { since: closedAt, until: null, basis: closedBy, cause: 'none' } as const;
  const canHaveBegun = report === null || hasBegunSince(facts, report, closedAt !== null);
  if (closedAt !== null && !canHaveBegun) return { ...closed, state: 'closed' };
  const isHeard = heardAt !== null && now - heardAt <= DAY_MS;
  const isRunning =
    run !== null && !isInhibited && run.startAt <= now && now < run.endAt && !isOver(facts, run, closedAt);
  const isClosedInIt = isRunning && closedAt !== null && closedAt >= run.startAt + lateMs(facts.clockS);
  if (isRunning && isHeard && !isClosedInIt)
    return { state: 'mayBeOpen', since: run.startAt, until: run.endAt, basis: 'planned', cause: 'schedule' };
  return { ...closed, since: report, state: canHaveBegun || !isHeard ? 'unknown' : 'closed' };
}

/** By its own clock, which is fast: it said closed when the run had ended by that. */
const isOver = ({ clockS }: ValveFacts, { endAt }: ValveRun, closedAt: number | null): boolean =>
  closedAt !== null && earlyMs(clockS) > 0 && closedAt >= endAt - earlyMs(clockS);

/**
 * By a slow clock a run begins and ends later than the plan says; an inhibited unit runs nothing, but may be opened. A report that
 * isn't of the valve says nothing of the run that it falls into.
 */
function hasBegunSince(facts: ValveFacts, report: number, isOfValve: boolean): boolean {
  const { run, unansweredUntil, clockS, isInhibited } = facts;
  const isByRun =
    run !== null &&
    !isInhibited &&
    (isOfValve ? run.startAt : run.endAt) + lateMs(clockS) > report &&
    !(isOfValve && isOver(facts, run, report));
  return isByRun || (unansweredUntil !== null && unansweredUntil > report);
}

/** Whether it is taken to water, or must be taken to. */
export const isTakenAsOpen = ({ state }: Pick<Belief, 'state'>): boolean =>
  state === 'open' || state === 'mayBeOpen' || state === 'openOverdue';

/** Until when (epoch ms) `valveBelief` says the same of the same facts as at `now`; the next run is another fact. */
export function beliefSteadyUntil(facts: ValveFacts, now: number): number {
  const { run, firstReportRun, lastReportRun, opening, unansweredClosesBy, heardAt, clockS } = facts;
  const grace = graceMs(clockS) + 1;
  const moments = [
    ...(run ? [run.startAt, run.endAt, run.endAt + grace] : []),
    ...(firstReportRun ? [firstReportRun.endAt + grace] : []),
    ...(lastReportRun ? [lastReportRun.endAt + grace] : []),
    ...(opening ? [opening.closesBy + grace] : []),
    ...(unansweredClosesBy === null ? [] : [unansweredClosesBy + grace]),
    ...(heardAt === null ? [] : [heardAt + DAY_MS + 1]),
  ];
  return Math.min(...moments.filter((at) => at > now), Number.POSITIVE_INFINITY);
}
