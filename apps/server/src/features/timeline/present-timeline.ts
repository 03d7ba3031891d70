import type { Timezone } from '@headrace/contract/farms';
import type { FarmClock } from '@headrace/contract/rules/farm-time';
import { farmMinute } from '@headrace/contract/rules/schedule/clock-seams';
import type { Turn } from '@headrace/contract/rules/schedule/turns';
import type { Timeline, TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import type { ClockSet, SetNames } from './timeline.repo.ts';
import type { LineUnit } from './turn-units.ts';

/** A sprinkler with its turns. */
export interface UnitTurns {
  readonly unit: LineUnit;
  readonly turns: readonly Turn[];
}

/** What its reply is reckoned with. Times in epoch ms. */
export interface Shown {
  readonly zone: Timezone;
  /** The same with the clocks before it, by which waterings are planned. */
  readonly clock: FarmClock;
  readonly now: number;
  readonly to: number;
  readonly from: number;
}

export function toUnit(
  { unit, turns }: UnitTurns,
  names: SetNames | undefined,
  { zone }: Shown,
): TimelineUnit {
  const { line, status, heldState, isInSet, lps, mmPerMin, facts } = unit;
  return {
    line,
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

/** Null where all sprinklers were sent their schedules after it. */
export function toClockSet(set: ClockSet | undefined): Timeline['clockSet'] {
  if (!set || set.units === 0) return null;
  const { at, fields, units } = set;
  const zone = fields.find(({ field }) => field === 'timeZone') ?? fields[0];
  return { at, units, from: clockName(zone?.field, zone?.from), to: clockName(zone?.field, zone?.to) };
}

/** Of another field: minutes from UTC. */
function clockName(field: string | undefined, value: unknown): string {
  if (field === 'timeZone') return String(value);
  if (field === 'dstEnabled') return value === true ? 'with daylight saving' : 'without daylight saving';
  return `${Number(value) / 60} min`;
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
