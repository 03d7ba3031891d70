import type { SensorMonitor } from '@headrace/contract/sensors';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import { isValidTension } from '@headrace/contract/rules/soil-moisture';
import { batteryPercent, isValidLevel, levelPercent, tankShape } from '@headrace/contract/rules/tank';
import { meterTypes, sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { meterMetrics } from '../flow/meter.ts';
import { meanOfValid } from '../series/row-values.ts';
import type { LatestValues } from '../series/latest-values.ts';
import type { Rollup } from '../series/rollup-query.ts';

/** What a sensor is there to tell. */
export type Quantity = 'level' | 'flow' | 'tension' | 'switch';

export function quantityOf({ type }: Pick<DeviceRow, 'type'>): Quantity {
  if (tankTypes.includes(type)) return 'level';
  if (meterTypes.includes(type)) return 'flow';
  return type === sensorTypes.SWITCH ? 'switch' : 'tension';
}

export const units: Record<Quantity, string> = { level: '%', flow: 'L/min', tension: 'kPa', switch: '' };
/** The two probes that every site has, whose mean is the site's tension. */
export const tensionMetrics = ['swp1Kpa', 'swp2Kpa'] as const;

type Measured = Pick<SensorMonitor, 'value' | 'rawValue' | 'invalid'>;
const nothing: Measured = { value: null, rawValue: null, invalid: false };

/** The level in percent; `rawValue` in mm above the diaphragm. */
export function levelNow({ settings }: Pick<DeviceRow, 'settings'>, latest: LatestValues): Measured {
  const level = latest.get('levelMm');
  if (!level) return nothing;
  const shape = tankShape(settings);
  return {
    value: levelPercent(shape, level.value),
    rawValue: finite(level.value),
    invalid: !isValidLevel(shape, level.value),
  };
}

/** The mean of the probes that say what can be a tension, kPa; `rawValue` is what the first that spoke said. */
export function tensionNow(latest: LatestValues): Measured {
  const said = tensionMetrics.flatMap((metric) => latest.get(metric) ?? []);
  const [first] = said;
  if (!first) return nothing;
  const value = meanTension(said.map((probe) => probe.value));
  return { value, rawValue: finite(first.value), invalid: value === null };
}

/** 1 on, 0 off. */
export function switchNow(latest: LatestValues): Measured {
  const state = latest.get('switch');
  if (!state) return nothing;
  const value = finite(state.value);
  return { value: value === null ? null : Number(value > 0), rawValue: value, invalid: value === null };
}

/** As it was sent: a flow, or the count that tells of it. */
export function rawFlow(latest: LatestValues): number | null {
  const sent = meterMetrics.flatMap((metric) => latest.get(metric) ?? [])[0];
  return finite(sent?.value ?? null);
}

/** The mean of those that can be tensions, kPa; null when none can. */
export function meanTension(kpa: readonly (number | null)[]): number | null {
  const valid = kpa.filter(isValidTension);
  return valid.length === 0 ? null : valid.reduce((sum, one) => sum + one, 0) / valid.length;
}

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null);

/** %, as told, else by the voltage. */
export function batteryNow(latest: LatestValues): number | null {
  return (
    finite(latest.get('batteryPercent')?.value ?? null) ?? byVolts(latest.get('batteryV')?.value ?? null)
  );
}

const byVolts = (volts: number | null) => batteryPercent(finite(volts));

/** Of a reading, hour or day. */
export const batteryOf = (metric: string, row: Rollup): number | null => {
  const mean = meanOfValid(row, isPossible(metric));
  return metric === 'batteryV' ? byVolts(mean) : mean;
};
