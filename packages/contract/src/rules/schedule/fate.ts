import type { Occurrence } from './occurrences.ts';
import type { Programme } from './programme.ts';

const MINUTE = 60_000;
/** Not heard for longer, what a unit does isn't sure. */
export const SILENT_MS = 3 * 24 * 60 * MINUTE;
/** A clock that is further off moves its waterings by as much as people notice, s. */
const CLOCK_S = 60;

/** What is known of a unit. Times in epoch ms; null: it has not said. */
export interface UnitFacts {
  /** `foreign`: a schedule that was not sent from here. */
  readonly held: Pick<Programme, 'entries'> | 'foreign' | 'nothing' | 'unknown';
  /** Another programme has been sent to it and was not answered. */
  readonly isOnItsWay: boolean;
  readonly isInService: boolean;
  /** It said another day of its cycle than was due. */
  readonly isDayOut: boolean;
  readonly isInhibited: boolean;
  /** A person wants it to water nothing, and it has not said yet that it waters nothing. */
  readonly isStopWanted: boolean;
  /** Until when its group is held from watering; null: it isn't. */
  readonly holdUntil: number | null;
  readonly heardAt: number | null;
  /** Seconds that its clock is fast. */
  readonly clockS: number | null;
}

/** `held`: by a paddock hold, until its end. */
export const wontCodes = ['inhibited', 'held', 'holdsNothing', 'holdsAnother'] as const;
export type WontCode = (typeof wontCodes)[number];
/** `stopWanted`, `outOfService`, `held`: it waters by its own clock until it says that it was stopped; `holdEnds`: where it takes the hold's end. */
export const unsureCodes = [
  'holdEnds',
  'foreign',
  'notKnown',
  'onItsWay',
  'stopWanted',
  'outOfService',
  'held',
  'notHeard',
  'dayOut',
  'clock',
] as const;
export type UnsureCode = (typeof unsureCodes)[number];
export const fateReasonCodes = [...new Set([...wontCodes, ...unsureCodes])] as const;

export interface FateReason {
  readonly code: WontCode | UnsureCode;
  /** Epoch ms: until when it is held, or when it was last heard. */
  readonly at: number | null;
}

export const fateKinds = ['will', 'wont', 'unsure', 'under way', 'over'] as const;

/** Whether a unit will water as planned; `shiftS`: by how much its clock makes it later, negative earlier. */
export interface Fate {
  readonly kind: (typeof fateKinds)[number];
  readonly reasons: readonly FateReason[];
  readonly shiftS: number;
}

/** Of an occurrence of what a unit is to water by, or holds. What can't be known is never said to be sure. */
export function fateOf(occurrence: Occurrence, unit: UnitFacts, now: number): Fate {
  const shiftS = unit.clockS === null ? 0 : 0 - unit.clockS;
  const shiftMs = shiftS * 1000;
  if (now >= occurrence.endAt + shiftMs) return { kind: 'over', reasons: [], shiftS };
  const wont = whyNot(occurrence, unit);
  const at = wont === 'held' ? unit.holdUntil : null;
  if (wont) return { kind: 'wont', reasons: [{ code: wont, at }], shiftS };
  const reasons = doubts(occurrence, unit, now);
  if (reasons.length > 0) return { kind: 'unsure', reasons, shiftS };
  return { kind: now >= occurrence.startAt + shiftMs ? 'under way' : 'will', reasons, shiftS };
}

/**
 * What keeps a unit from watering as it is to, or from our knowing that it does, whichever watering it is; the worst first.
 * `olderSince` (epoch ms): since when it holds another programme than it is to; null: it doesn't.
 */
export function doubtsOf(unit: UnitFacts, olderSince: number | null, now: number): FateReason[] {
  const found: (FateReason | false)[] = [
    unit.isInhibited && unit.holdUntil === null && { code: 'inhibited', at: null },
    unit.held === 'nothing' && { code: 'holdsNothing', at: null },
    olderSince !== null && { code: 'holdsAnother', at: olderSince },
  ];
  return [...found.filter((reason) => reason !== false), ...doubts({ startAt: now }, unit, now)];
}

function whyNot({ startAt, entry }: Occurrence, unit: UnitFacts): WontCode | null {
  const { isInhibited, holdUntil, held } = unit;
  if (isInhibited && holdUntil === null) return 'inhibited';
  // It waters again after the hold, if it takes its end.
  if (isInhibited && holdUntil !== null && startAt < holdUntil) return 'held';
  if (held === 'nothing') return 'holdsNothing';
  if (held === 'foreign' || held === 'unknown') return null;
  const has = held.entries.some(
    ({ start, duration, cycle }) =>
      start === entry.start && duration === entry.duration && cycle === entry.cycle,
  );
  return has ? null : 'holdsAnother';
}

function doubts({ startAt }: Pick<Occurrence, 'startAt'>, unit: UnitFacts, now: number): FateReason[] {
  const { held, isOnItsWay, isStopWanted, isInService, isInhibited, isDayOut, holdUntil, heardAt, clockS } =
    unit;
  const found: (FateReason | false)[] = [
    held === 'foreign' && { code: 'foreign', at: null },
    held === 'unknown' && { code: 'notKnown', at: null },
    isOnItsWay && { code: 'onItsWay', at: null },
    isStopWanted && holdUntil === null && { code: 'stopWanted', at: null },
    !isInService && { code: 'outOfService', at: null },
    holdUntil !== null && holdUntil > startAt && { code: 'held', at: holdUntil },
    holdUntil !== null && holdUntil <= startAt && isInhibited && { code: 'holdEnds', at: holdUntil },
    (heardAt === null || now - heardAt > SILENT_MS) && { code: 'notHeard', at: heardAt },
    isDayOut && { code: 'dayOut', at: heardAt },
    clockS !== null && Math.abs(clockS) > CLOCK_S && { code: 'clock', at: heardAt },
  ];
  return found.filter((reason) => reason !== false);
}
