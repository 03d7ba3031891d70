import { graceMs } from '../valve-belief.ts';
import { applied, type Applied, type Bounds, isEndHeard, type ReportedRun } from './applied.ts';
import type { Occurrence } from './occurrences.ts';

const MINUTE = 60_000;
/** A start that is off by more is late, or early. */
const PUNCTUAL = 10 * MINUTE;
/** Between two words that say closed, for what was planned to count as missed. */
const APART = 10 * MINUTE;
/** Between the answer to a Valve On and the unit's own report of its valve. */
const TOLD_APART = 2 * MINUTE;

/** Epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What else is known of the unit for the time in question. */
export interface MatchContext {
  /** Epoch ms. */
  readonly now: number;
  /** Seconds that its clock is fast; null: it has not said. */
  readonly clockS: number | null;
  /** When it said that its valve was closed, epoch ms. */
  readonly saidClosed: readonly number[];
  /** Times of which it sent its whole log of runs. */
  readonly logged: readonly Span[];
  /** Valve Ons that were carried out, until they ended. */
  readonly openings: readonly Span[];
}

export const outcomes = [
  'watered',
  'short',
  'long',
  'late',
  'missed',
  'not known',
  'by hand',
  'unplanned',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * `endNotHeard`: closed by then at the latest. `early`, `late`: it opened then. `saidClosed`: it said so last then. `notLogged`: its own log
 * lacks it. `startNotHeard`: it said "open" first then, and may have been since its time. `notOver`: it can still water. `notHeard`: it said too little. `inhibited`: it said since then that it waters nothing.
 */
export type MatchCode =
  | 'endNotHeard'
  | 'startNotHeard'
  | 'early'
  | 'late'
  | 'saidClosed'
  | 'notLogged'
  | 'notOver'
  | 'notHeard'
  | 'inhibited';

export interface MatchReason {
  readonly code: MatchCode;
  /** Epoch ms. */
  readonly at: number | null;
}

/** What was planned beside what the valve did; one of the two may be missing. */
export interface Match {
  readonly outcome: Outcome;
  readonly planned: Occurrence | null;
  readonly said: ReportedRun | null;
  readonly reasons: readonly MatchReason[];
}

/**
 * Compares what one unit was to do with what its valve did, in the order of time; each occurrence and each run is in one match.
 * `planned` is what the unit held at the time. A run belongs to an occurrence when it overlaps it by half of the shorter, begins
 * within it, or within ten minutes and the clock's drift of it; where several could, the nearest beginnings are paired first.
 */
export function matchRuns(
  planned: readonly Occurrence[],
  said: readonly ReportedRun[],
  context: MatchContext,
): readonly Match[] {
  const runOf = new Map<Occurrence, ReportedRun>();
  const taken = new Set<ReportedRun>();
  for (const { occurrence, run } of candidates(planned, said, context)) {
    if (runOf.has(occurrence) || taken.has(run)) continue;
    runOf.set(occurrence, run);
    taken.add(run);
  }
  const matches = [
    ...planned.map((occurrence) => judge(occurrence, runOf.get(occurrence), context)),
    ...said.filter((run) => !taken.has(run)).map((run) => leftOver(run, context)),
  ];
  return matches.toSorted((one, other) => beginOf(one) - beginOf(other) || rankOf(one) - rankOf(other));
}

const beginOf = ({ planned, said }: Match) => planned?.startAt ?? said?.openedAt ?? 0;
/** Of those that begin together the planned come first, the shortest of them before the others. */
const rankOf = ({ planned }: Match) => (planned ? planned.endAt - planned.startAt : Number.MAX_SAFE_INTEGER);

type EndContext = Pick<MatchContext, 'now' | 'clockS'>;

interface Candidate<R> {
  readonly occurrence: Occurrence;
  readonly run: R;
  readonly startsApart: number;
  readonly endsApart: number;
}

function candidates<R extends OneRun>(
  planned: readonly Occurrence[],
  said: readonly R[],
  context: EndContext,
) {
  const found: Candidate<R>[] = [];
  const drift = graceMs(context.clockS) - graceMs(0);
  for (const occurrence of planned)
    for (const run of said) {
      const end = endOf(run, context);
      const startsApart = Math.abs(run.openedAt - occurrence.startAt);
      const overlap = Math.min(end, occurrence.endAt) - Math.max(run.openedAt, occurrence.startAt);
      const shorter = Math.min(end - run.openedAt, occurrence.endAt - occurrence.startAt);
      const isNear = startsApart <= graceMs(context.clockS) + PUNCTUAL / 2;
      // It may have opened before the first word that says so.
      const isWithin = run.openedAt >= occurrence.startAt && run.openedAt <= occurrence.endAt + drift;
      if (isNear || isWithin || (overlap > 0 && overlap >= shorter / 2))
        found.push({ occurrence, run, startsApart, endsApart: Math.abs(end - occurrence.endAt) });
    }
  return found.toSorted(
    (one, other) =>
      one.startsApart - other.startsApart ||
      one.endsApart - other.endsApart ||
      one.occurrence.startAt - other.occurrence.startAt ||
      one.run.openedAt - other.run.openedAt,
  );
}

const endOf = ({ closedAt, openUntil }: OneRun, { now }: EndContext) => Math.max(closedAt ?? now, openUntil);

function judge(planned: Occurrence, said: ReportedRun | undefined, context: MatchContext): Match {
  const isOver = planned.endAt + graceMs(context.clockS) < context.now;
  if (said && (isOver || said.closedAt !== null)) return watered(planned, said, context);
  if (!isOver)
    return {
      outcome: 'not known',
      planned,
      said: said ?? null,
      reasons: [{ code: 'notOver', at: planned.endAt }],
    };
  const missed = whyMissed(planned, context);
  const outcome = missed ? 'missed' : 'not known';
  return { outcome, planned, said: null, reasons: [missed ?? { code: 'notHeard', at: null }] };
}

/** By a clock that is set it closes on time, also when its report was late; who begins much later waters its minutes. */
function endAsked({ startAt, endAt }: Occurrence, openedAt: number, clockS: number | null): number {
  return Math.abs(openedAt - startAt) <= graceMs(clockS) ? endAt : openedAt + endAt - startAt;
}

/** What one run is known by to have been asked for. */
type OneRun = Pick<ReportedRun, 'openedAt' | 'openUntil' | 'closedAt'>;

/**
 * When a run was to close by what its unit held, epoch ms; null: nothing of that asked for it. `planned`: what could have; what
 * begins long after it opened can't, though a lost report may stretch the run over it.
 */
export function askedEnd(planned: readonly Occurrence[], run: OneRun, context: EndContext): number | null {
  const before = planned.filter(
    ({ startAt }) => startAt <= run.openedAt + graceMs(context.clockS) + PUNCTUAL / 2,
  );
  const [nearest] = candidates(before, [run], context);
  return nearest ? endAsked(nearest.occurrence, run.openedAt, context.clockS) : null;
}

/**
 * Whether the first word that says open may be a later one than that of the moment: it came later than its time, and nothing shows that
 * it was closed meanwhile. That it lasted as long as was planned shows nothing: the next word is often an hour later.
 */
export function isStartLost(
  { startAt }: Occurrence,
  { openedAt, openedHow }: Pick<ReportedRun, 'openedAt' | 'openedHow'>,
  { clockS, saidClosed }: Pick<MatchContext, 'clockS' | 'saidClosed'>,
): boolean {
  const grace = graceMs(clockS);
  if (openedHow !== 'said' || openedAt <= startAt + grace) return false;
  return !saidClosed.some((at) => at > startAt + grace && at < openedAt);
}

/** When a run that belongs to an occurrence was to close. */
export const endOfPlan = (planned: Occurrence, said: ReportedRun, context: MatchContext): number =>
  isStartLost(planned, said, context) ? planned.endAt : endAsked(planned, said.openedAt, context.clockS);

/** How long a run that belongs to an occurrence watered, and how much that gave; from its time on where its beginning was not heard. */
export function appliedOf(planned: Occurrence, said: ReportedRun, context: MatchContext): Applied {
  const { clockS, now } = context;
  const amounts = applied(said, { endsAt: endOfPlan(planned, said, context), clockS, now });
  if (!isStartLost(planned, said, context)) return amounts;
  const before = Math.max(0, said.openedAt - planned.startAt + (clockS ?? 0) * 1000) / MINUTE;
  const most = before + graceMs(clockS) / MINUTE;
  const longer = (bounds: Bounds, a: number): Bounds => ({
    least: bounds.least,
    believed: bounds.believed + before * a,
    most: bounds.most + most * a,
  });
  return {
    minutes: longer(amounts.minutes, 1),
    mm: longer(amounts.mm, said.mmPerMin),
    litres: longer(amounts.litres, said.lps * 60),
  };
}

function watered(planned: Occurrence, said: ReportedRun, context: MatchContext): Match {
  const isLost = isStartLost(planned, said, context);
  const off = isLost ? 0 : said.openedAt - planned.startAt;
  const isPunctual = Math.abs(off) <= PUNCTUAL;
  const reasons: MatchReason[] = [];
  if (isLost) reasons.push({ code: 'startNotHeard', at: said.openedAt });
  if (!isPunctual) reasons.push({ code: off > 0 ? 'late' : 'early', at: said.openedAt });
  if (!isEndHeard(said, { endsAt: endOfPlan(planned, said, context), clockS: context.clockS }))
    reasons.push({ code: 'endNotHeard', at: said.closedAt });
  const outcome = outcomeOf(shareOf(planned, said, context), isPunctual);
  return { outcome, planned, said, reasons };
}

/**
 * Of the planned minutes, as far as the words contradict the plan: one that comes later than its moment, within the grace, may be a
 * second one, and does not make a watering shorter or longer.
 */
function shareOf(planned: Occurrence, said: ReportedRun, context: MatchContext): number {
  const { startAt, endAt } = planned;
  const { minutes } = appliedOf(planned, said, context);
  const isLost = isStartLost(planned, said, context);
  const grace = graceMs(context.clockS);
  const drift = (context.clockS ?? 0) * 1000;
  const isLater = (at: number, plan: number) => at > plan - drift && at <= plan + grace;
  const from = isLost || isLater(said.openedAt, startAt) ? startAt - drift : said.openedAt;
  const endsAt = endOfPlan(planned, said, context);
  const isHeard = isEndHeard(said, { endsAt, clockS: context.clockS });
  const end = (isLost ? from : said.openedAt) + minutes.believed * MINUTE;
  const to = !isHeard || isLater(end, endAt) ? endsAt - drift : end;
  return (to - from) / (endAt - startAt);
}

function outcomeOf(share: number, isPunctual: boolean): Outcome {
  if (share < 0.9) return 'short';
  if (share > 1.1) return 'long';
  return isPunctual ? 'watered' : 'late';
}

/** Its log hasn't got it, or it said closed twice, well inside: one word alone may come of a clock that is off. */
function whyMissed({ startAt, endAt }: Occurrence, context: MatchContext): MatchReason | null {
  const log = context.logged.find(({ from, to }) => from <= startAt && to >= endAt);
  if (log) return { code: 'notLogged', at: log.to };
  const grace = graceMs(context.clockS);
  const inside = context.saidClosed.filter((at) => at >= startAt + grace && at <= endAt - grace);
  const last = Math.max(...inside);
  return inside.length > 0 && last - Math.min(...inside) >= APART ? { code: 'saidClosed', at: last } : null;
}

/** Whether it opened in the time of a Valve On. */
export const isByHand = ({ openedAt }: OneRun, { openings }: Pick<MatchContext, 'openings'>): boolean =>
  openings.some(({ from, to }) => openedAt >= from - TOLD_APART && openedAt <= to + TOLD_APART);

function leftOver(said: ReportedRun, context: MatchContext): Match {
  const outcome = isByHand(said, context) ? 'by hand' : 'unplanned';
  return { outcome, planned: null, said, reasons: [] };
}
