import type { Timezone } from '../../farms.ts';
import { graceMs } from '../valve-belief.ts';
import { applied, type Applied, type EndFacts, isEndHeard, type ReportedRun } from './applied.ts';
import {
  appliedOf,
  endOfPlan,
  isByHand,
  isStartLost,
  type Match,
  type MatchContext,
  matchRuns,
} from './match-runs.ts';
import { type Occurrence, occurrences } from './occurrences.ts';
import type { Programme } from './programme.ts';

const DAY = 86_400_000;

/** What a sprinkler was to water by, from when until when. Times in epoch ms. */
export interface PlanSpan {
  readonly since: number;
  /** Null: it still is. */
  readonly until: number | null;
  readonly programme: Pick<Programme, 'entries' | 'cycleDays'>;
  /** Since when it said that it waters nothing: it was inhibited. */
  readonly stoppedAt: number | null;
  readonly crc: string;
  /** `this`: it held it by its own word or answer. Else it is what was last sent to it, and what is known instead of what it held. */
  readonly holds: 'this' | 'nothing' | 'foreign' | 'unknown';
  /** Since when it held something else. */
  readonly holdsSince: number | null;
}

/** What is known of one sprinkler for some days. */
export interface UnitPast extends Omit<MatchContext, 'now'> {
  /** Apart from each other. */
  readonly spans: readonly PlanSpan[];
  readonly runs: readonly ReportedRun[];
}

/**
 * What a figure rests on. `said`: the sprinkler reported both ends. `believed`: its end, or that it was open all the time, was not
 * heard. `plan`: nothing is known of it but that it was to water.
 */
export const diaryBases = ['said', 'believed', 'plan'] as const;
export type DiaryBasis = (typeof diaryBases)[number];

/** What was to be beside what was, as `matchRuns` pairs it; one that said it was inhibited then has missed what it was to water. */
export interface DiaryEntry extends Match {
  /** Of what was planned, where it is known. */
  readonly span: PlanSpan | null;
  readonly basis: DiaryBasis;
  /** When it was to close, by its plan or the Valve On that opened it, epoch ms; null: nothing asked for it. */
  readonly endsAt: number | null;
  /** Null: nothing is known (`basis` plan). */
  readonly applied: Applied | null;
  /** False: two reports say what the valve was at two moments, and no more. */
  readonly isLengthKnown: boolean;
}

/** When it stands in the diary: when it was to begin, else when it opened; epoch ms. */
export const entryStart = ({ planned, said }: Pick<Match, 'planned' | 'said'>): number =>
  planned?.startAt ?? said?.openedAt ?? 0;

/**
 * The diary of one sprinkler: what it was to water and what its valve did, of all that begins in [from, to) and not after `now` (epoch
 * ms), in the order of time. `past` reaches a day further to both sides, so that the days tell the same whichever are asked for together.
 */
export function unitDiary(
  past: UnitPast,
  zone: Timezone,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): DiaryEntry[] {
  const plan = plannedBy(past.spans, zone, from - DAY, Math.min(to + DAY, now + 1));
  const along = planAlong(past, plan, zone, { from: from - DAY, to: Math.min(to + DAY, now + 1), now });
  const context: MatchContext = { ...past, now };
  const going = [...plan].filter(([{ startAt }, { stoppedAt }]) => stoppedAt === null || startAt < stoppedAt);
  const stopped = [...plan.keys()].filter((one) => !going.some(([other]) => other === one));
  const matches = matchRuns(
    going.map(([occurrence]) => occurrence),
    past.runs.flatMap((run) => splitByPlan(run, along, context)),
    context,
  );
  const all = stopped.length > 0 ? withStopped(matches, stopped, plan, context) : matches;
  return all
    .filter((match) => entryStart(match) >= from && entryStart(match) < to)
    .map((match) => toEntry(match, match.planned ? (plan.get(match.planned) ?? null) : null, context));
}

/** What a sprinkler was to water by its spans, of all that begins in [from, to), with the span of each. */
export function plannedBy(spans: readonly PlanSpan[], zone: Timezone, from: number, to: number) {
  const plan = new Map<Occurrence, PlanSpan>();
  for (const span of spans) {
    const [first, last] = [Math.max(from, span.since), Math.min(to, span.until ?? to)];
    if (first >= last) continue;
    for (const occurrence of occurrences(span.programme, zone, first, last)) plan.set(occurrence, span);
  }
  return plan;
}

/** The plan by which runs are split: from when the first of them opened until the last is known to have been open, which may be days apart. */
function planAlong(
  { spans, runs }: UnitPast,
  plan: ReadonlyMap<Occurrence, PlanSpan>,
  zone: Timezone,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: number },
): readonly Occurrence[] {
  const long = runs.filter(({ openedAt, openUntil }) => openUntil - openedAt > DAY / 2);
  if (long.length === 0) return [...plan.keys()];
  const first = long.reduce((earliest, { openedAt }) => Math.min(earliest, openedAt - DAY), from);
  const last = long.reduce((latest, { openUntil }) => Math.max(latest, openUntil + DAY), to);
  return [...plannedBy(spans, zone, first, Math.min(last, now + 1)).keys()];
}

/** It said that it waters nothing; only a run that nobody opened by hand shows otherwise. */
function withStopped(
  matches: readonly Match[],
  stopped: readonly Occurrence[],
  plan: ReadonlyMap<Occurrence, PlanSpan>,
  context: MatchContext,
): Match[] {
  const isFree = ({ planned, said }: Match) => planned === null && said !== null && !isByHand(said, context);
  const free = matches.filter(isFree).flatMap(({ said }) => said ?? []);
  const rest = matchRuns(stopped, free, context).map((match): Match => {
    const { planned, said } = match;
    if (said !== null || planned === null) return match;
    const at = plan.get(planned)?.stoppedAt ?? null;
    return { outcome: 'missed', planned, said, reasons: [{ code: 'inhibited', at }] };
  });
  return [...rest, ...matches.filter((match) => !isFree(match))].toSorted(
    (one, other) => entryStart(one) - entryStart(other),
  );
}

function toEntry(match: Match, span: PlanSpan | null, context: MatchContext): DiaryEntry {
  const { planned, said, outcome, reasons } = match;
  if (said === null)
    return {
      outcome,
      planned,
      said,
      reasons,
      span,
      basis: outcome === 'missed' ? 'said' : 'plan',
      endsAt: planned?.endAt ?? null,
      applied: outcome === 'missed' ? nothing : null,
      isLengthKnown: outcome === 'missed',
    };
  const { clockS, now } = context;
  const facts = { endsAt: endsAtOf(planned, said, context), clockS, now };
  const isLengthKnown = facts.endsAt !== null || said.closedHow === 'answered' || said.closedHow === 'logged';
  const isStartHeard = planned === null || !isStartLost(planned, said, context);
  const isSaid = isLengthKnown && isStartHeard && isEndHeard(said, facts);
  const isEndLost = planned === null && isLengthKnown && !isSaid;
  return {
    outcome,
    planned,
    said,
    reasons: isEndLost ? [{ code: 'endNotHeard', at: said.closedAt }] : reasons,
    span,
    basis: isSaid ? 'said' : 'believed',
    endsAt: facts.endsAt,
    applied: amountsOf(match, facts, context),
    isLengthKnown,
  };
}

function amountsOf({ planned, said }: Match, facts: EndFacts, context: MatchContext): Applied | null {
  if (said === null) return null;
  if (planned) return appliedOf(planned, said, context);
  const isNotified = facts.endsAt !== null || said.closedHow === 'answered' || said.closedHow === 'logged';
  return isNotified ? applied(said, facts) : sinceLastReport(said, context.now);
}

/**
 * A run that is two by the plan: where the reports between two waterings were lost, the first seems to go on. Its newest word that says
 * open lies in the second; that it closed between is believed, and when is not known.
 */
function splitByPlan(run: ReportedRun, plan: readonly Occurrence[], { clockS }: MatchContext): ReportedRun[] {
  const grace = graceMs(clockS);
  const second = plan.findLast(
    ({ startAt, endAt }) =>
      startAt - grace > run.openedAt && run.openUntil >= startAt - grace && run.openUntil <= endAt + grace,
  );
  const first = plan.find(
    ({ startAt, endAt }) =>
      second !== undefined &&
      startAt <= run.openedAt + grace &&
      endAt >= run.openedAt &&
      endAt <= second.startAt,
  );
  if (!second || !first) return [run];
  const opens = Math.max(run.openUntil, second.startAt - grace);
  return [
    { ...run, openUntil: run.openedAt, closedAt: Math.min(opens, second.startAt), closedHow: 'said' },
    { ...run, openedAt: opens, openedHow: 'said', openUntil: opens },
  ];
}

const none = { least: 0, believed: 0, most: 0 };
const nothing: Applied = { minutes: none, mm: none, litres: none };

/** When it was to close: by what it was planned for, else by the Valve On that opened it. */
function endsAtOf(planned: Occurrence | null, said: ReportedRun, context: MatchContext): number | null {
  if (planned) return endOfPlan(planned, said, context);
  const opening = context.openings.findLast((one) => isByHand(said, { openings: [one] }));
  return opening?.to ?? null;
}

/** From the last word that says open to the first that says closed: it closed somewhere between. */
function sinceLastReport(run: ReportedRun, now: number): Applied {
  const { minutes, mm, litres } = applied(
    { ...run, closedHow: 'answered' },
    { endsAt: null, clockS: null, now },
  );
  const share = minutes.most > 0 ? (run.openUntil - run.openedAt) / 60_000 / minutes.most : 0;
  const between = ({ most }: { most: number }) => ({ least: most * share, believed: most * share, most });
  return { minutes: between(minutes), mm: between(mm), litres: between(litres) };
}
