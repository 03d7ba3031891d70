import { sensorTypes } from '@headrace/contract/sensor-types';
import type { LatLng } from '@headrace/contract/schemas';
import {
  isOutOfContact,
  isValidLevel,
  levelPercent,
  litresAt,
  measuresByFlow,
  tankCondition,
  tankShape,
  trend,
} from '@headrace/contract/rules/tank';
import type { PumpControl, TankSummary } from '@headrace/contract/tanks';
import type { DeviceRow } from '../../db/schema.ts';
import { type LatestValues, statusTimeOf } from '../series/latest-values.ts';
import type { RollupSeries } from '../series/rollup-query.ts';
import { flowOfNewest } from './tank-usage.ts';
import { litrePerPulse } from '../flow/meter.ts';

/** What is known of one tank at a moment. */
export interface TankFacts {
  device: DeviceRow;
  latest: LatestValues;
  /** mm, about an hour before the latest level; null when nothing was read then. */
  hourBeforeMm: number | null;
  hasLeak: boolean;
  /** Hours of the meter's pulses, for meters that don't report a flow. */
  pulseHours: { total: RollupSeries; deltas: RollupSeries };
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
export const valueOf = (latest: LatestValues, metric: string): number | null =>
  latest.get(metric)?.value ?? null;
export const flagOf = (latest: LatestValues, metric: string): boolean | null => {
  const value = valueOf(latest, metric);
  return value === null ? null : value > 0;
};

export function locationOf(device: { lat: number | null; lng: number | null }): LatLng | null {
  return device.lat === null || device.lng === null ? null : { lat: device.lat, lng: device.lng };
}

/** `level` of a summary. Invalid: the sensor spoke, and what it said can't be this tank's level. A sensor that never spoke isn't. */
export function levelOf({ device, latest }: Pick<TankFacts, 'device' | 'latest'>): TankSummary['level'] {
  const shape = tankShape(device.settings);
  const level = latest.get('levelMm');
  const raw = level?.value ?? null;
  const percent = levelPercent(shape, raw);
  return {
    value: percent,
    valueInLitres: litresAt(shape, percent),
    invalid: level !== undefined && !isValidLevel(shape, raw),
  };
}

export function trendOf({ device, latest, hourBeforeMm }: TankFacts): TankSummary['trending'] {
  const shape = tankShape(device.settings);
  return trend(levelPercent(shape, valueOf(latest, 'levelMm')), levelPercent(shape, hourBeforeMm));
}

/** L/min as reported, else from the pulses of the newest hour. Null for tanks without a meter. */
export function flowOf({ device, latest, hasLeak, pulseHours }: TankFacts): TankSummary['flow'] {
  const hasMeter = measuresByFlow(device.type, device.settings) || latest.has('flowLpm');
  if (!hasMeter) return null;
  const counted = flowOfNewest(litrePerPulse(device.settings), pulseHours);
  return {
    flowrate: latest.has('flowLpm') ? valueOf(latest, 'flowLpm') : counted,
    direction: valueOf(latest, 'flowDirection') ?? device.settings.flowDirection ?? null,
    leakDetected: hasLeak,
  };
}

const pumpMembers = ['highSetpoint', 'lowSetpoint', 'relayControl', 'relayState', 'inputState', 'maxRunTime'];

function pumpControlOf(latest: LatestValues): PumpControl | null {
  if (!pumpMembers.some((metric) => latest.has(metric))) return null;
  return {
    highSetpoint: valueOf(latest, 'highSetpoint'),
    lowSetpoint: valueOf(latest, 'lowSetpoint'),
    relayControl: flagOf(latest, 'relayControl'),
    relayState: flagOf(latest, 'relayState'),
    inputState: flagOf(latest, 'inputState'),
    maxRunTime: valueOf(latest, 'maxRunTime'),
  };
}

export function toSummary(facts: TankFacts, now: number): Omit<TankSummary, 'gatewayUID'> {
  const { device, latest } = facts;
  const statusTime = statusTimeOf(latest);
  const level = levelOf(facts);
  const batteryVoltage = valueOf(latest, 'batteryV');
  const outOfContact = isOutOfContact(statusTime, now);
  return {
    _id: device.uid,
    name: device.name,
    serialNumber: device.serial_number,
    description: device.description,
    location: locationOf(device),
    statusTime: iso(statusTime),
    isOutOfContact: outOfContact,
    condition: tankCondition({ isOutOfContact: outOfContact, batteryVoltage, percent: level.value }),
    type: device.type,
    level,
    trending: trendOf(facts),
    batteryVoltage,
    flow: flowOf(facts),
    leakDetected: facts.hasLeak,
    pumpControl: pumpControlOf(latest),
    updatedAt: iso(statusTime),
  };
}

export const isLegacy = (device: DeviceRow): boolean => device.type !== sensorTypes.TLM_V3;
