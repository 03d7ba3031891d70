import { FLOW_LPM } from '@headrace/device/limits';
import type { FlowValue } from '../flow.ts';
import { isWithin } from './within.ts';

/** Units of flow by name (spec 1 §3), as they are stored and sent (spec 2 §3.12). */
export const flowUnits = { Lps: 'lps', Lph: 'lph', CubMeterPerday: 'm3pd' } as const;
export type FlowUnit = (typeof flowUnits)[keyof typeof flowUnits];

/** What one L/s is in each unit. spec 2 §9 */
export const flowFactors: Readonly<Record<FlowUnit, number>> = { lps: 1, lph: 3600, m3pd: 86.4 };

/** Whether this can be what a meter on a farm measures, L/min. */
export const isValidFlow = (litresPerMinute: number | null): litresPerMinute is number =>
  isWithin(FLOW_LPM, litresPerMinute);

/** A flow that a meter with its zero there showed: what it shows below that is none. Null: a meter that has no such zero. L/min. */
export const flowAbove = (zero: number | null, shown: number): number =>
  zero === null ? shown : Math.max(0, shown - zero);

/** L/s in every unit that people ask for; null in all of them when it isn't known. */
export function flowValue(litresPerSecond: number | null): FlowValue {
  const as = (unit: FlowUnit) => (litresPerSecond === null ? null : litresPerSecond * flowFactors[unit]);
  return { litresPerSecond: as('lps'), litresPerHour: as('lph'), cubicMetresDay: as('m3pd') };
}

/** Where the axis of a chart of flow meters ends: ten times the unit's factor. spec 2 §9 */
export const flowUnitAxisMax = (unit: FlowUnit): number => 10 * flowFactors[unit];

/** Where the axis of one meter's history ends: ten times the peak's ninth, rounded up, and never zero. spec 2 §9 */
export const flowHistoryAxisMax = (peak: number): number => 10 * Math.max(1, Math.ceil(peak / 9));
