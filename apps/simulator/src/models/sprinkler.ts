import type { IpcItem, RepeaterItem } from '@headrace/device/messages';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { RepeaterProfile, SprinklerProfile } from '@headrace/demo/profile';
import type { Environment } from './environment.ts';
import { clamp, smoothNoise } from './noise.ts';

const dayMs = 86_400_000;

/** What commands and schedules changed on a unit; all else follows from its profile and the time. */
export type UnitState = {
  inhibited?: boolean;
  /** A valve opened by hand shuts by itself. */
  openUntil?: number;
  /** Shut by hand until the shift is over. */
  shutUntil?: number;
  /** Own clock set by hand. */
  clockSetAt?: number;
  /** Of the schedule it was sent; otherwise that of the farm's plan. */
  crc?: string;
  entries?: number;
  mode?: string;
};

export type UnitContext = {
  readonly unit: SprinklerProfile;
  readonly key: number;
  readonly plannedCrc: string;
  readonly env: Environment;
};

/** Open by hand, or by the plan unless it is inhibited or was shut by hand. */
export function isOpen({ unit, env }: UnitContext, state: UnitState, at: number): boolean {
  if (unit.isSpareUnit) return false;
  if (state.openUntil !== undefined && at < state.openUntil) return true;
  if (state.inhibited || (state.shutUntil !== undefined && at < state.shutUntil)) return false;
  return unit.group !== '' && env.watering.activeGroup(at) === unit.group;
}

/** Seconds of drift: gained or lost since the gateway last set the time, which it does daily; a worn clock keeps its error. */
function clockDrift({ unit, key }: UnitContext, state: UnitState, at: number): number {
  const { driftSecondsPerDay, fault } = unit.model;
  const sinceSet = (at - (state.clockSetAt ?? 0)) / dayMs;
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
  const { unit, env, key, plannedCrc } = context;
  const cycle = env.watering.cycle(at);
  return {
    mac: unit.mac,
    at: new Date(at).toISOString(),
    charge: unitCharge(unit.model.startCharge, key, env, at),
    clock: clockDrift(context, state, at),
    ipcCrc: crcOf(unit, state, plannedCrc),
    scheduleNum: state.entries ?? (plannedCrc === inhibitedCrc ? 0 : 1),
    cycleDay: cycle.day,
    cycleLen: cycle.length,
    mode: state.mode ?? 'Mesh',
    hops: Math.max(1, unit.model.hops + (smoothNoise(key ^ 7, at / dayMs) > 0.85 ? 1 : 0)),
    valve: isOpen(context, state, at) ? 'open' : 'closed',
  };
}

function crcOf(unit: SprinklerProfile, state: UnitState, plannedCrc: string): string {
  if (state.inhibited) return inhibitedCrc;
  if (state.crc !== undefined) return state.crc;
  // One that missed the last send still holds an older schedule.
  return unit.model.fault === 'schedule' ? '4B:1E' : plannedCrc;
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
