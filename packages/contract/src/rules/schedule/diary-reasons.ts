import { CHARGE_THRESHOLD_PERCENT } from '../condition.ts';
import { graceMs } from '../valve-belief.ts';
import type { DiaryEntry } from './unit-diary.ts';

const DAY = 86_400_000;
/** A clock that is further off moves a watering by as much as people notice, s. */
const CLOCK_S = 60;

/** The worst first, in the order in which they explain; after them what `matchRuns` has to say. */
export const diaryReasonCodes = [
  'outOfService',
  'held',
  'inhibited',
  'olderSchedule',
  'holdsNothing',
  'foreign',
  'heldUnknown',
  'valveOff',
  'clock',
  'notHeard',
  'battery',
  'replaced',
  'clockChange',
  'saidClosed',
  'notLogged',
  'early',
  'late',
  'startNotHeard',
  'endNotHeard',
  'notOver',
] as const;
export type DiaryReasonCode = (typeof diaryReasonCodes)[number];

/** With the fact and the time (epoch ms) that show it. */
export interface DiaryReason {
  readonly code: DiaryReasonCode;
  readonly at: number | null;
  /** Who did it; '': nobody, or nobody knows. */
  readonly by: string;
  /** What that person gave as the reason of a hold; '': nothing. */
  readonly note: string;
  /** s that its clock was fast, or % of its battery. */
  readonly value: number | null;
}

/** What people and the sprinkler did around a watering, times in epoch ms, oldest first. */
export interface DiaryFacts {
  /** When it was out of service; `to` null: it still is. */
  readonly outOfService: readonly { readonly from: number; readonly to: number | null }[];
  readonly orders: readonly {
    /** `hold`: the Inhibit that a paddock hold began with. */
    readonly kind: 'inhibit' | 'hold' | 'uninhibit' | 'valveOff';
    readonly at: number;
    readonly by: string;
    /** Of a hold: its reason. */
    readonly note?: string;
  }[];
  /** Checksums of what was sent to it. */
  readonly sends: readonly { readonly at: number; readonly crc: string }[];
  /** When it held a schedule that was not sent from here. */
  readonly foreign: readonly { readonly from: number; readonly to: number | null }[];
  /** Near the watering. */
  readonly clock: { readonly s: number; readonly at: number } | null;
  readonly charge: { readonly percent: number; readonly at: number } | null;
  /** When it was heard last before the watering was to end; null: not known. */
  readonly heardBefore: number | null;
  readonly swaps: readonly number[];
}

/** Why a watering was not as planned, what explains it best first; of one that was, what is worth knowing all the same. */
export function diaryReasons(entry: DiaryEntry, facts: DiaryFacts): DiaryReason[] {
  const { planned, said, outcome } = entry;
  const startAt = planned?.startAt ?? said?.openedAt ?? 0;
  const endAt = planned?.endAt ?? said?.closedAt ?? startAt;
  const isMissing = outcome === 'missed' || (outcome === 'not known' && said === null);
  const isTrouble = outcome !== 'watered' && outcome !== 'by hand';
  const found: (DiaryReason | null)[] = [
    isMissing ? outOfService(facts, startAt, endAt) : null,
    isMissing || outcome === 'short' ? stopped(entry, facts, endAt) : null,
    olderSchedule(entry, facts),
    isTrouble && said !== null && planned === null ? foreign(facts, said.openedAt) : null,
    isTrouble ? heldInstead(entry) : null,
    outcome === 'short' || isMissing ? valveOff(facts, startAt, endAt) : null,
    isTrouble ? clockOff(facts) : null,
    outcome === 'not known' && said === null ? reason('notHeard', facts.heardBefore) : null,
    isMissing && facts.charge && facts.charge.percent < CHARGE_THRESHOLD_PERCENT
      ? { ...reason('battery', facts.charge.at), value: facts.charge.percent }
      : null,
    isTrouble ? swapped(facts, startAt, endAt) : null,
    isTrouble && planned !== null && planned.clock !== 'plain' ? reason('clockChange', startAt) : null,
    ...entry.reasons
      .filter(({ code }) => code !== 'inhibited' && code !== 'notHeard')
      .map(({ code, at }) => reason(code as DiaryReasonCode, at)),
  ];
  const isOver = !entry.reasons.some(({ code }) => code === 'notOver');
  return found.filter((one) => one !== null && (isOver || one.code !== 'notHeard')) as DiaryReason[];
}

/** Whether people or its state kept it from watering, so that nothing went wrong. */
export const isKept = ({ outcome }: Pick<DiaryEntry, 'outcome'>, reasons: readonly DiaryReason[]): boolean =>
  outcome === 'missed' &&
  reasons.some(({ code }) => code === 'inhibited' || code === 'held' || code === 'outOfService');

const reason = (code: DiaryReasonCode, at: number | null, by = '', note = ''): DiaryReason => ({
  code,
  at,
  by,
  note,
  value: null,
});

function outOfService({ outOfService: spans }: DiaryFacts, startAt: number, endAt: number) {
  const span = spans.find(({ from, to }) => from <= endAt && (to === null || to > startAt));
  return span ? reason('outOfService', span.from) : null;
}

/** Inhibited or held: by its own word, or because a person asked for it and nobody took that back. */
function stopped({ reasons, said }: DiaryEntry, { orders }: DiaryFacts, endAt: number): DiaryReason | null {
  const isSaid = reasons.find(({ code }) => code === 'inhibited');
  const until = said?.closedAt ?? endAt;
  const last = orders.findLast(({ kind, at }) => kind !== 'valveOff' && at <= until);
  const by = last?.kind === 'inhibit' || last?.kind === 'hold' ? last : null;
  if (!isSaid && !by) return null;
  // An old Inhibit explains no watering that began after it.
  if (!isSaid && said && by && by.at < said.openedAt) return null;
  const code = by?.kind === 'hold' ? 'held' : 'inhibited';
  return reason(code, by?.at ?? isSaid?.at ?? null, by?.by ?? '', by?.note);
}

/** It waters by what it holds, and something else was sent to it before. */
function olderSchedule({ span, planned }: DiaryEntry, { sends }: DiaryFacts): DiaryReason | null {
  if (!span || !planned || span.holds !== 'this') return null;
  const wanted = sends.findLast(({ at }) => at <= planned.startAt);
  return wanted && wanted.crc !== span.crc ? reason('olderSchedule', wanted.at) : null;
}

/** It was to water by what was last sent to it, and holds something else, or nobody knows what. */
function heldInstead({ span }: DiaryEntry): DiaryReason | null {
  if (!span || span.holds === 'this') return null;
  const codes = { nothing: 'holdsNothing', foreign: 'foreign', unknown: 'heldUnknown' } as const;
  return reason(codes[span.holds], span.holdsSince);
}

function foreign({ foreign: spans }: DiaryFacts, at: number): DiaryReason | null {
  const span = spans.find(({ from, to }) => from <= at && (to === null || to > at));
  return span ? reason('foreign', span.from) : null;
}

function valveOff({ orders, clock }: DiaryFacts, startAt: number, endAt: number): DiaryReason | null {
  const grace = graceMs(clock?.s ?? null);
  const off = orders.findLast(
    ({ kind, at }) => kind === 'valveOff' && at >= startAt - grace && at <= endAt + grace,
  );
  return off ? reason('valveOff', off.at, off.by) : null;
}

function clockOff({ clock }: DiaryFacts): DiaryReason | null {
  if (!clock || Math.abs(clock.s) <= CLOCK_S) return null;
  return { ...reason('clock', clock.at), value: clock.s };
}

function swapped({ swaps }: DiaryFacts, startAt: number, endAt: number): DiaryReason | null {
  const swap = swaps.findLast((at) => at >= startAt - DAY && at <= endAt);
  return swap === undefined ? null : reason('replaced', swap);
}
