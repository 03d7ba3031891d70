import type { IpcItem, RepeaterItem } from '@headrace/device/messages';
import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDayOf } from '@headrace/device/watering-start';
import type { RepeaterProfile, SprinklerProfile } from '@headrace/demo/profile';
import type { Environment } from './environment.ts';
import type { LocalClock } from './local-time.ts';
import { clamp, smoothNoise } from './noise.ts';
import { isWateringBy } from './unit-clock.ts';

const dayMs = 86_400_000;

/** What commands and schedules changed on a unit; all else follows from its profile and the time. Times are model time. */
export type UnitState = {
  inhibited?: boolean;
  /** A valve opened by hand shuts by itself. */
  openedAt?: number;
  openUntil?: number;
  /** Shut by hand until the shift is over. */
  shutUntil?: number;
  /** Own clock set by hand. */
  clockSetAt?: number;
  /** The schedule it was sent; without, it follows the farm's plan. */
  schedule?: { crc: string; entries: readonly ScheduleEntry[]; cycleLength: number };
  mode?: string;
  /** The unit that was put in this place. */
  replacedBy?: { mac: string; serialNumber: string };
  /** Taken out of its place: it answers nobody. */
  isDead?: boolean;
};

export type UnitContext = {
  readonly unit: SprinklerProfile;
  readonly key: number;
  /** What it waters by until it is sent something. */
  readonly planned: {
    readonly crc: string;
    readonly entries: readonly ScheduleEntry[];
    readonly cycleLength: number;
  };
  readonly env: Environment;
  /** The clock by which it waters; without, that of the farm's zone. */
  readonly clock?: () => LocalClock;
  /** The repeater that passes on what it reports; undefined: its gateway hears it itself. */
  readonly via?: string;
};

/** Open by hand, or by its schedule unless it is inhibited or was shut by hand. */
export function isOpen(context: UnitContext, state: UnitState, at: number): boolean {
  const { openedAt = 0, openUntil = 0, shutUntil = 0 } = state;
  if (at >= openedAt && at < openUntil) return true;
  if (context.unit.isSpareUnit || state.inhibited || at < shutUntil) return false;
  return isScheduled(context, state, at);
}

const clockOf = ({ clock, env }: UnitContext): LocalClock => clock?.() ?? env.local;

function isScheduled(context: UnitContext, { schedule }: UnitState, at: number): boolean {
  const { unit, planned } = context;
  return unit.model.fault !== 'stuck' && isWateringBy(schedule ?? planned, clockOf(context), at);
}

/** Seconds of drift: gained or lost since the gateway last set the time, which it does daily; a worn clock keeps its error. */
function clockDrift({ unit, key }: UnitContext, state: UnitState, at: number): number {
  const { driftSecondsPerDay, fault } = unit.model;
  const sinceSet = Math.max(0, at - (state.clockSetAt ?? 0)) / dayMs;
  if (fault === 'clock' && sinceSet > 1) return Math.round(78 + 14 * smoothNoise(key, at / (9 * dayMs)));
  return Math.round(driftSecondsPerDay * Math.min(sinceSet, (at % dayMs) / dayMs));
}

/** Percent: up with the sun by day, down by night, lower in dull weeks. */
function unitCharge(startCharge: number, key: number, env: Environment, at: number): number {
  const hour = env.local(at).hour;
  const dayWave = 3 * Math.cos((2 * Math.PI * (hour - 16)) / 24);
  const weeks = 8 * (smoothNoise(key, at / (6 * dayMs)) - 0.5);
  return Math.round(clamp(startCharge - 2 + dayWave + weeks - 3 * env.weather(at).cloud, 3, 100));
}

export function unitStatus(context: UnitContext, state: UnitState, at: number): IpcItem {
  const { unit, key, planned } = context;
  const { schedule } = state;
  const cycleLen = heldCycle(context, state);
  const valve = isOpen(context, state, at) ? 'open' : 'closed';
  return {
    mac: unit.mac,
    at: new Date(at).toISOString(),
    charge: unitCharge(unit.model.startCharge, key, context.env, at),
    clock: clockDrift(context, state, at),
    ipcCrc: heldCrc(context, state),
    scheduleNum: (schedule ?? planned).entries.length,
    cycleDay: cycleDayOf(clockOf(context)(at).day, cycleLen),
    cycleLen,
    mode: state.mode ?? commsModes[unit.commsMode],
    ...(context.via !== undefined && { via: context.via }),
    hops: Math.max(1, unit.model.hops + (smoothNoise(key ^ 7, at / dayMs) > 0.85 ? 1 : 0)),
    // That it has closed gets lost on the way, again and again.
    ...((valve === 'open' || unit.model.fault !== 'lost-close') && { valve }),
  };
}

/** Names of `commsMode` 0, 1 and 2. */
export const commsModes = ['Mesh', 'Local', 'Hybrid'] as const;

/** The checksum of the schedule that a unit holds and follows. */
export function heldCrc({ unit, planned }: UnitContext, state: UnitState): string {
  if (state.inhibited) return inhibitedCrc;
  if (state.schedule) return state.schedule.crc;
  // One that missed the last send still holds an older schedule.
  return unit.model.fault === 'schedule' ? '4B:1E' : planned.crc;
}

/** Days of the cycle that a unit follows. */
export function heldCycle({ planned }: UnitContext, { schedule }: UnitState): number {
  return (schedule ?? planned).cycleLength;
}

export function repeaterStatus(
  repeater: RepeaterProfile,
  key: number,
  env: Environment,
  at: number,
): RepeaterItem {
  return {
    mac: repeater.mac,
    at: new Date(at).toISOString(),
    charge: unitCharge(repeater.model.startCharge, key, env, at),
    hops: repeater.model.hops,
  };
}
