import { counterDelta } from '@headrace/contract/rules/counter';
import { flowAbove, isValidFlow } from '@headrace/contract/rules/flow';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorSettings } from '@headrace/contract/sensors';
import { wrapOf } from '@headrace/device/field-mapping';
import type { DeviceRow } from '../../db/schema.ts';
import type { LatestValue, LatestValues } from '../series/latest-values.ts';
import type { RollupSeries } from '../series/rollup-query.ts';

/** What meters report: a flow, pulses, or litres. */
export const meterMetrics = ['flowLpm', 'pulsesTotal', 'pulses', 'volumeTotalL', 'volumeL'] as const;
export type MeterMetric = (typeof meterMetrics)[number];
/** A meter's readings, hours or days. */
export type MeterSeries = (metric: MeterMetric) => RollupSeries;
export type Meter = Pick<DeviceRow, 'type' | 'settings' | 'mapping'>;

const MINUTE = 60_000;

/** Running totals before amounts since the message before: they miss no lost message. */
export const registers = [
  { total: 'pulsesTotal', deltas: 'pulses' },
  { total: 'volumeTotalL', deltas: 'volumeL' },
] as const;

export const litrePerPulse = (settings: SensorSettings): number => settings.litrePerPulse ?? 1;

/** Litres that one count of a metric stands for. */
export const litrePerCount = ({ settings }: Meter, metric: MeterMetric): number =>
  metric.startsWith('pulses') ? litrePerPulse(settings) : 1;

/** Where an analog meter's zero lies, L/min; null: it is none. */
export const zeroOf = ({ type, settings }: Pick<Meter, 'type' | 'settings'>): number | null =>
  type === sensorTypes.FLOW_ANALOG ? (settings.offset ?? 0) : null;

export const measuredFlow = (meter: Meter, litrePerMinute: number): number =>
  flowAbove(zeroOf(meter), litrePerMinute);

/** A reading before a newest one. */
export interface EarlierReading {
  at: number;
  value: number;
}

/** The series whose newest reading says what flows now, where the meter reports no flow. */
export function countNow(latest: LatestValues): (LatestValue & { metric: MeterMetric }) | null {
  if (latest.has('flowLpm')) return null;
  for (const { total, deltas } of registers)
    for (const metric of [total, deltas] as const) {
      const value = latest.get(metric);
      if (value) return { ...value, metric };
    }
  return null;
}

export interface FlowNow {
  litrePerMinute: number | null;
  /** It spoke, and what it said can't be a flow. */
  invalid: boolean;
  /** When it was said, epoch ms; null: never. */
  at: number | null;
}

/** What the newest reading says: a flow, or what was counted since the valid reading before it. */
export function flowNow(meter: Meter, latest: LatestValues, earlier: EarlierReading | undefined): FlowNow {
  const reported = latest.get('flowLpm');
  if (reported) {
    const { value, at } = reported;
    return isValidFlow(value)
      ? { litrePerMinute: measuredFlow(meter, value), invalid: false, at }
      : { litrePerMinute: null, invalid: true, at };
  }
  const counted = countNow(latest);
  if (!counted) return { litrePerMinute: null, invalid: false, at: null };
  const { metric, value, at } = counted;
  if (value === null || Number.isNaN(value)) return { litrePerMinute: null, invalid: true, at };
  if (!earlier || earlier.at >= at) return { litrePerMinute: null, invalid: false, at };
  const isTotal = metric === 'pulsesTotal' || metric === 'volumeTotalL';
  const count = isTotal
    ? counterDelta(earlier.value, value, { wrapAt: wrapOf(meter.mapping, metric) })
    : value;
  const litres = count * litrePerCount(meter, metric);
  const litrePerMinute = (litres * MINUTE) / (at - earlier.at);
  const invalid = !isValidFlow(litrePerMinute);
  return { litrePerMinute: invalid ? null : litrePerMinute, invalid, at };
}
