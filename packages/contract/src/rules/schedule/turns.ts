import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Timezone } from '../../farms.ts';
import { applied, type EndFacts, isEndHeard, type ReportedRun } from './applied.ts';
import { type Fate, fateOf, type FateReason, type UnitFacts } from './fate.ts';
import { type Match, type MatchCode, matchRuns, type Outcome } from './match-runs.ts';
import { type Occurrence, occurrences } from './occurrences.ts';
import type { Programme } from './programme.ts';

/**
 * How much of a watering is known. `said`: the unit reported it; `believed`: by its plan it is under way, unheard; `will`: nothing
 * speaks against it; `unsure`: something does; `wont`: it is known why not; `notHeard`: it is over, and nothing was heard of it.
 */
export const turnSigns = ['said', 'believed', 'will', 'unsure', 'wont', 'notHeard'] as const;
export type TurnSign = (typeof turnSigns)[number];
/** By what it is planned: what the unit holds, or what it is to hold and doesn't yet. */
export const turnPlans = ['held', 'wanted'] as const;
export type TurnPlan = (typeof turnPlans)[number];

/** What a unit held from when until when, epoch ms; `until` null: it still does. */
export interface HeldSpan {
  readonly from: number;
  readonly until: number | null;
  /** Null: not known what it is. */
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number;
  /** Since when it waters no more by it. */
  readonly stoppedAt: number | null;
}

/** A Valve On that was carried out. Epoch ms. */
export interface Opening {
  readonly from: number;
  readonly to: number;
}

export interface TurnUnit {
  readonly facts: UnitFacts;
  readonly held: readonly HeldSpan[];
  /** Where that isn't what it holds. */
  readonly wanted: Pick<Programme, 'entries' | 'cycleDays'> | null;
  readonly runs: readonly ReportedRun[];
  readonly openings: readonly Opening[];
}

/** Epoch ms. */
export interface TurnRange {
  readonly zone: Timezone;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

/** One watering of a unit, as far as it is known. Times in epoch ms. */
export interface Turn {
  readonly startAt: number;
  readonly endAt: number;
  readonly sign: TurnSign;
  readonly plan: TurnPlan;
  /** What it was to be; null: nothing was planned. */
  readonly planned: Occurrence | null;
  /** Of one that was said: until when it is known that the valve was open. */
  readonly saidUntil: number | null;
  readonly outcome: Outcome | null;
  readonly isByCommand: boolean;
  readonly reasons: readonly { readonly code: FateReason['code'] | MatchCode; readonly at: number | null }[];
  readonly shiftS: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A clock is off by less, so that what is later is ahead by it, too. */
export const AHEAD_MS = HOUR;

/** What a unit waters, watered or is to water at any moment of a time, oldest first. */
export function turnsOf(unit: TurnUnit, range: TurnRange): readonly Turn[] {
  const planned = plannedOf(unit, range);
  const judge = judgeOf(unit.facts, range.now);
  const turns: Turn[] = [];
  if (unit.runs.length > 0) matched(turns, planned, unit, range, judge);
  else
    for (const { span, occurrences: all } of planned)
      for (const occurrence of all) turns.push(judge(occurrence, span));
  if (unit.wanted !== null) turns.push(...wantedTurns(unit.wanted, planned, unit, range));
  const shown = turns.filter(({ startAt, endAt }) => endAt > range.from && startAt < range.to);
  return shown.sort((one, other) => one.startAt - other.startAt);
}

/** Occurrences with what was held when they were to begin; null: what is to be held. */
interface Planned {
  readonly occurrences: readonly Occurrence[];
  readonly span: HeldSpan | null;
}

function plannedOf({ held, facts, wanted }: TurnUnit, range: TurnRange): Planned[] {
  const found: Planned[] = [];
  for (const span of held)
    if (span.entries !== null) {
      const programme = { entries: span.entries, cycleDays: span.cycleDays };
      found.push({ occurrences: within(programme, range, span.from, span.until), span });
    }
  // What nobody knows to be held is judged by what it is to hold, from now on.
  if (facts.held === 'unknown' && wanted !== null)
    found.push({ occurrences: within(wanted, range, range.now, null), span: null });
  return found;
}

/** Those that are under way at any moment of the range, and that begin from `since` to `until`. */
function within(
  programme: Pick<Programme, 'entries' | 'cycleDays'>,
  { zone, from, to }: TurnRange,
  since: number,
  until: number | null,
): readonly Occurrence[] {
  const longest = programme.entries.reduce((most, { duration }) => Math.max(most, duration), 0) * MINUTE;
  const [first, last] = [Math.max(from - longest, since), Math.min(to, until ?? to)];
  if (longest === 0 || first >= last) return [];
  return occurrences(programme, zone, first, last);
}

type Judge = (occurrence: Occurrence, span: HeldSpan | null) => Turn;

/** A turn of what is planned and was not told. What speaks against it is the same for all that is ahead of one unit. */
function judgeOf(facts: UnitFacts, now: number): Judge {
  let ahead: Judged | null = null;
  return (occurrence, span) => {
    if (span === null) return turnOf(occurrence, 'wanted', judged(occurrence, span, facts, now));
    const isAhead = span.until === null && facts.holdUntil === null && occurrence.startAt > now + AHEAD_MS;
    if (!isAhead) return turnOf(occurrence, 'held', judged(occurrence, span, facts, now));
    ahead ??= judged(occurrence, span, facts, now);
    return turnOf(occurrence, 'held', ahead);
  };
}

/** Of what is over it is known that it can't have been where the unit had said so before. */
function judged(occurrence: Occurrence, span: HeldSpan | null, facts: UnitFacts, now: number): Judged {
  const { kind, reasons, shiftS } = fateOf(occurrence, facts, now);
  const stoppedAt = span?.stoppedAt ?? null;
  if (kind !== 'over') return { sign: signs[kind], reasons: reasons.map(since(stoppedAt)), shiftS };
  return stoppedAt !== null && stoppedAt <= occurrence.startAt
    ? { sign: 'wont', reasons: [{ code: 'inhibited', at: stoppedAt }], shiftS }
    : { sign: 'notHeard', reasons, shiftS };
}

/** When it said that it waters no more, where that is known. */
const since = (stoppedAt: number | null) => (reason: FateReason) =>
  reason.code === 'inhibited' ? { ...reason, at: reason.at ?? stoppedAt } : reason;

type Judged = Pick<Fate, 'reasons' | 'shiftS'> & { readonly sign: TurnSign };
const signs = { will: 'will', wont: 'wont', unsure: 'unsure', 'under way': 'believed' } as const;

const turnOf = (occurrence: Occurrence, plan: TurnPlan, { sign, reasons, shiftS }: Judged): Turn => ({
  startAt: occurrence.startAt,
  endAt: occurrence.endAt,
  sign,
  plan,
  planned: occurrence,
  saidUntil: null,
  outcome: null,
  isByCommand: false,
  reasons,
  shiftS,
});

/** Adds the turns of a unit that told of its valve; what is well ahead can't have been told. */
function matched(
  turns: Turn[],
  planned: readonly Planned[],
  unit: TurnUnit,
  { now }: TurnRange,
  judge: Judge,
): void {
  const { facts, runs, openings } = unit;
  const context = { now, clockS: facts.clockS, saidClosed: [], logged: [], openings };
  const spanOf = new Map<Occurrence, HeldSpan | null>();
  for (const { span, occurrences: all } of planned)
    for (const occurrence of all)
      if (occurrence.startAt > now + AHEAD_MS) turns.push(judge(occurrence, span));
      else spanOf.set(occurrence, span);
  for (const match of matchRuns([...spanOf.keys()], runs, context)) {
    if (match.said) turns.push(reportedTurn(match, match.said, unit, now));
    else if (match.planned) turns.push(judge(match.planned, spanOf.get(match.planned) ?? null));
  }
}

/** From when it was said to be open until it was said to be closed; until it was to close where that wasn't heard. */
function reportedTurn(
  { planned, outcome, reasons }: Match,
  said: ReportedRun,
  unit: TurnUnit,
  now: number,
): Turn {
  const opening = unit.openings.find(({ from }) => Math.abs(from - said.openedAt) <= 2 * MINUTE);
  const endsAt = askedEndOf(planned, said) ?? opening?.to ?? null;
  const { endAt, saidUntil } = endOf(said, { endsAt, clockS: unit.facts.clockS, now });
  const isByCommand = opening !== undefined || outcome === 'by hand';
  // What nobody knows to have been held may have asked for it.
  const isUnknown = planned === null && !isByCommand && !isHeldKnown(unit.held, said.openedAt);
  return {
    startAt: said.openedAt,
    endAt,
    sign: 'said',
    plan: 'held',
    planned,
    saidUntil,
    outcome: isUnknown ? 'not known' : outcome,
    isByCommand,
    reasons: reasons.filter(({ code }) => code !== 'notOver'),
    shiftS: 0,
  };
}

const isHeldKnown = (held: readonly HeldSpan[], at: number): boolean =>
  held.some(({ from, until, entries }) => entries !== null && from <= at && (until === null || until > at));

/** By a clock that is set it closes on time, also when its report was late; who begins much later waters its minutes. */
function askedEndOf(planned: Occurrence | null, { openedAt }: ReportedRun): number | null {
  if (planned === null) return null;
  const isNear = Math.abs(openedAt - planned.startAt) <= HOUR / 2;
  return isNear ? planned.endAt : openedAt + planned.endAt - planned.startAt;
}

/** When it closed, as far as is believed, and until when it is known to have been open. */
function endOf(said: ReportedRun, end: EndFacts): { endAt: number; saidUntil: number } {
  const { openedAt, openUntil, closedAt, closedHow } = said;
  // A "closed" that comes after what nothing asked for says only that it had closed by then.
  if (end.endsAt === null && closedHow === 'said')
    return { endAt: openUntil + MINUTE, saidUntil: openUntil + MINUTE };
  const believed = openedAt + applied(said, end).minutes.believed * MINUTE;
  if (isEndHeard(said, end)) return { endAt: believed, saidUntil: believed };
  const endAt = closedAt === null ? Math.max(believed, end.endsAt ?? end.now) : believed;
  return { endAt, saidUntil: Math.min(openUntil, endAt) };
}

/** What it will water once it takes what it is to hold, beside what it holds; what is the same in both stands once. */
function wantedTurns(
  wanted: Pick<Programme, 'entries' | 'cycleDays'>,
  planned: readonly Planned[],
  { facts }: TurnUnit,
  range: TurnRange,
): Turn[] {
  if (facts.held === 'unknown') return [];
  const held = new Set(
    planned.flatMap(({ occurrences: all }) => all.map(({ startAt, endAt }) => `${startAt}-${endAt}`)),
  );
  return within(wanted, range, range.now, null)
    .filter(({ startAt, endAt }) => !held.has(`${startAt}-${endAt}`))
    .map((occurrence) => turnOf(occurrence, 'wanted', onItsWay(fateOf(occurrence, facts, range.now), facts)));
}

/** What is being sent may still come in time. */
function onItsWay({ kind, reasons, shiftS }: Fate, { isOnItsWay }: UnitFacts): Judged {
  const isWaiting =
    isOnItsWay && reasons.some(({ code }) => code === 'holdsAnother' || code === 'holdsNothing');
  if (isWaiting) return { sign: 'unsure', reasons: [{ code: 'onItsWay', at: null }], shiftS };
  return { sign: kind === 'over' ? 'notHeard' : signs[kind], reasons, shiftS };
}
