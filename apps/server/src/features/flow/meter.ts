import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { counterDelta } from '@headrace/contract/rules/counter';
import { isValidFlow } from '@headrace/contract/rules/flow';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { wrapOf } from '@headrace/device/field-mapping';
import type { DeviceRow } from '../../db/schema.ts';
import { meanOfValid } from '../tanks/history-points.ts';
import type { LatestValue, LatestValues } from '../tanks/latest-values.ts';
import type { RollupSeries } from '../tanks/rollup-query.ts';
import { type Amount, flowByPulses, litrePerPulse, litresByPulses } from '../tanks/tank-usage.ts';

export const meterTypes: readonly number[] = [
  sensorTypes.FLOW,
  sensorTypes.FLOW_ANALOG,
  sensorTypes.FLOW_PULSE,
];
/** What meters report: a flow, pulses, or litres. */
export const meterMetrics = ['flowLpm', 'pulsesTotal', 'pulses', 'volumeTotalL', 'volumeL'] as const;
export type MeterMetric = (typeof meterMetrics)[number];
/** A meter's readings, hours or days. */
export type MeterSeries = (metric: MeterMetric) => RollupSeries;
type Meter = Pick<DeviceRow, 'type' | 'settings' | 'mapping'>;

const MINUTE = 60_000;

/** Running totals before amounts since the message before: they miss no lost message. */
const registers = [
  { total: 'pulsesTotal', increments: 'pulses' },
  { total: 'volumeTotalL', increments: 'volumeL' },
] as const;

const litrePerCount = ({ settings }: Meter, total: string): number =>
  total === 'pulsesTotal' ? litrePerPulse(settings) : 1;

/** An analog meter's zero lies at its `offset`; what it shows below that is no flow. */
export function measuredFlow({ type, settings }: Meter, litrePerMinute: number): number {
  if (type !== sensorTypes.FLOW_ANALOG) return litrePerMinute;
  return Math.max(0, litrePerMinute - (settings.offset ?? 0));
}

/** Mean of an hour or day, L/min; null where what the meter said can't be a flow. */
interface MeanFlow {
  at: number;
  litrePerMinute: number | null;
}

/**
 * Mean flow by reading, hour or day, oldest first: what the meter reports as flow, else what it counted over the time since
 * the reading before. No entry where it was silent, a zero where it said that nothing flowed.
 */
export function meanFlows(meter: Meter, series: MeterSeries): MeanFlow[] {
  const means = new Map<number, number | null>();
  for (const { total, increments } of registers.toReversed()) {
    const counts = { total: series(total), increments: series(increments) };
    for (const { at, litrePerMinute } of flowByPulses(litrePerCount(meter, total), counts))
      means.set(at, isValidFlow(litrePerMinute) ? litrePerMinute : null);
  }
  for (const row of series('flowLpm').rows) {
    const mean = meanOfValid(row, isValidFlow);
    means.set(row.at, mean === null ? null : measuredFlow(meter, mean));
  }
  return [...means].toSorted(([a], [b]) => a - b).map(([at, litrePerMinute]) => ({ at, litrePerMinute }));
}

/**
 * Litres through the meter by reading, hour or day: as counted, else its flow over the time since the reading before. What it
 * can't have counted in that time (another meter's total after a swap) is left out.
 */
export function litresThrough(meter: Meter, series: MeterSeries): Amount[] {
  for (const { total, increments } of registers) {
    const counts = { total: series(total), increments: series(increments) };
    if (counts.total.rows.length + counts.increments.rows.length === 0) continue;
    const litres = litrePerCount(meter, total);
    const flows = new Map(flowByPulses(litres, counts).map(({ at, litrePerMinute }) => [at, litrePerMinute]));
    return litresByPulses(litres, counts).filter(({ at }) => isValidFlow(flows.get(at) ?? 0));
  }
  return litresByFlow(meter, series('flowLpm'));
}

/** A flow speaks for the time since the good reading before, and for no more than that after which a meter is out of contact. */
function litresByFlow(meter: Meter, { before, rows }: RollupSeries): Amount[] {
  let since = before?.lastAt ?? null;
  return rows.flatMap((row): Amount[] => {
    const { at, firstAt, lastAt } = row;
    const mean = meanOfValid(row, isValidFlow);
    if (mean === null) return [];
    const gap = Math.min(firstAt - (since ?? firstAt), TANK_OUT_OF_CONTACT_MS);
    since = lastAt;
    const minutes = (lastAt - firstAt + gap) / MINUTE;
    return [{ at, litres: measuredFlow(meter, mean) * minutes, firstAt, lastAt }];
  });
}

/** A reading before a newest one. */
export interface EarlierReading {
  at: number;
  value: number;
}

/** The series whose newest reading says what flows now, where the meter reports no flow. */
export function countNow(latest: LatestValues): (LatestValue & { metric: MeterMetric }) | null {
  if (latest.has('flowLpm')) return null;
  for (const { total, increments } of registers)
    for (const metric of [total, increments] as const) {
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
  const litres = count * (metric.startsWith('pulses') ? litrePerPulse(meter.settings) : 1);
  const litrePerMinute = (litres * MINUTE) / (at - earlier.at);
  const invalid = !isValidFlow(litrePerMinute);
  return { litrePerMinute: invalid ? null : litrePerMinute, invalid, at };
}
