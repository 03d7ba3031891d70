import type { Timezone } from '@headrace/contract/farms';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { busyTimes } from '@headrace/contract/rules/schedule/busy-times';
import { farmMinute } from '@headrace/contract/rules/schedule/clock-seams';
import type { Turn, TurnSign } from '@headrace/contract/rules/schedule/turns';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import type { TimelineLine, TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import { groupBy } from '../commands/group-by.ts';
import type { SetNames } from './timeline.repo.ts';
import type { LineUnit } from './turn-units.ts';

/** A sprinkler with its turns. */
export interface UnitTurns {
  readonly unit: LineUnit;
  readonly turns: readonly Turn[];
}

/** What its reply is reckoned with. Times in epoch ms. */
export interface Shown {
  readonly zone: Timezone;
  readonly now: number;
  readonly to: number;
  readonly from: number;
}

/** Pauses shorter than a pixel or two of a wide screen. */
const bridgeOf = ({ from, to }: Shown) => (to - from) / 400;

export function toLines(all: readonly UnitTurns[], shown: Shown): TimelineLine[] {
  return groupBy(all, ({ unit }) => unit.line)
    .map((units) => toLine(units[0]?.unit.line ?? '', units, shown))
    .toSorted((one, other) => compareNatural(one.name, other.name));
}

function toLine(line: string, units: readonly UnitTurns[], shown: Shown): TimelineLine {
  // What is held is what will happen; what is wanted beside it stands with its sprinkler.
  const turns: Turn[] = [];
  for (const one of units) for (const turn of one.turns) if (isOfBar(turn)) turns.push(turn);
  const busy = busyTimes(turns, bridgeOf(shown));
  return {
    id: line,
    name: line,
    units: units.length,
    unknown: units.filter(isUnknown).length,
    open: units.flatMap(({ unit: { status } }) => openOf(status)),
    next: nextOf(units, shown),
    turns: countSigns(turns),
    busy: busy.map((time) => ({ ...time, startMin: farmMinute(shown.zone, time.startAt) })),
  };
}

const isOfBar = ({ plan, sign }: Turn) => plan === 'held' || sign === 'unsure';
export const isUnknown = ({ unit: { heldState, status } }: UnitTurns): boolean =>
  (heldState === 'foreign' || heldState === 'unknown') && !status.outOfService;

function countSigns(turns: readonly Turn[]): Record<TurnSign, number> {
  const counts = { said: 0, believed: 0, will: 0, unsure: 0, wont: 0, notHeard: 0 };
  for (const { sign } of turns) counts[sign] += 1;
  return counts;
}

function openOf({ id, name, belief }: LineUnit['status']): TimelineLine['open'] {
  if (!belief || !isTakenAsOpen(belief)) return [];
  const { state, basis, since, until } = belief;
  return [{ uid: id, name, state, basis, since, until }];
}

function nextOf(units: readonly UnitTurns[], { zone, now }: Shown): TimelineLine['next'] {
  let first: { unit: LineUnit; turn: Turn } | null = null;
  for (const { unit, turns } of units) {
    const turn = turns.find(
      ({ startAt, sign, plan }) => startAt > now && plan === 'held' && (sign === 'will' || sign === 'unsure'),
    );
    if (turn && (first === null || turn.startAt < first.turn.startAt)) first = { unit, turn };
  }
  if (first === null) return null;
  const { startAt, endAt, sign } = first.turn;
  const { id, name } = first.unit.status;
  return { uid: id, name, startAt, startMin: farmMinute(zone, startAt), endAt, sign };
}

export function toUnit(
  { unit, turns }: UnitTurns,
  names: SetNames | undefined,
  { zone }: Shown,
): TimelineUnit {
  const { status, heldState, isInSet, lps, mmPerMin, facts } = unit;
  return {
    uid: status.id,
    name: status.name,
    serialNumber: status.serial,
    held: heldState,
    heldSet: names?.held ?? '',
    wantedSet: names?.wanted ?? '',
    isInSet,
    isInService: facts.isInService,
    isInhibited: facts.isInhibited,
    heardAt: facts.heardAt,
    lps,
    mmPerMin,
    turns: turns.map((turn) => toTurn(turn, zone)),
  };
}

function toTurn({ planned, reasons, ...turn }: Turn, zone: Timezone): TimelineTurn {
  const { startAt, endAt, sign, plan, saidUntil, outcome, isByCommand, shiftS } = turn;
  return {
    startAt,
    startMin: farmMinute(zone, startAt),
    endAt,
    sign,
    plan,
    planned: planned && { startAt: planned.startAt, endAt: planned.endAt },
    saidUntil,
    outcome,
    isByCommand,
    clock: planned?.clock ?? 'plain',
    shiftS,
    reasons: reasons.map(({ code, at }) => ({ code, at })),
  };
}
