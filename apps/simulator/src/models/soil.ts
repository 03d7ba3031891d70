import type { SoilModel } from '@headrace/demo/profile';
import { clamp, rounded } from './noise.ts';

/** Water missing from field capacity in two layers, mm; below zero is water still draining. */
export type SoilState = { readonly topMm: number; readonly deepMm: number; readonly rainMm: number };

export type SoilRates = {
  readonly rainMmPerHour: number;
  readonly irrigationMmPerHour: number;
  readonly etMmPerHour: number;
};

/** Tension at field capacity, and the deficit over which it grows e-fold: coarse soils run dry sooner. */
const soils: Record<SoilModel['soil'], { fullKpa: number; growthMm: number }> = {
  'sandy-loam': { fullKpa: 8, growthMm: 13 },
  loam: { fullKpa: 9, growthMm: 18 },
  clay: { fullKpa: 11, growthMm: 24 },
};
const topShareOfEt = 0.6;
const mostWaterMm = -4;
const driestMm = 75;
const drainMmPerHour = 0.35;
/** Granular matrix probes read to about 200 kPa. */
const probeLimitKpa = 199;

export function startSoil(): SoilState {
  return { topMm: 14, deepMm: 12, rainMm: 0 };
}

/** Water moves down towards the drier layer, mm an hour for each mm that it lacks more. */
const sinkPerHour = 0.006;

/** Rain fills the top layer first and what it can't hold goes deeper; roots draw less as the soil dries. */
export function stepSoil(state: SoilState, hours: number, rates: SoilRates): SoilState {
  const rain = rates.rainMmPerHour * hours;
  const et = rates.etMmPerHour * hours;
  const sinking = Math.max(0, state.deepMm - state.topMm) * Math.min(1, sinkPerHour * hours);
  const wetTop =
    state.topMm - rain - rates.irrigationMmPerHour * hours + et * topShareOfEt * ease(state.topMm);
  const surplus = Math.max(0, mostWaterMm - wetTop);
  const wetDeep = state.deepMm - sinking - 0.8 * surplus + et * (1 - topShareOfEt) * ease(state.deepMm);
  return {
    topMm: drain(Math.max(mostWaterMm, wetTop), hours),
    deepMm: drain(Math.max(mostWaterMm, wetDeep), hours),
    rainMm: state.rainMm + rain,
  };
}

function ease(deficitMm: number): number {
  return clamp((driestMm - deficitMm) / 40, 0, 1);
}

function drain(deficitMm: number, hours: number): number {
  return deficitMm < 0 ? Math.min(0, deficitMm + drainMmPerHour * hours) : deficitMm;
}

export function tensionKpa(soil: SoilModel['soil'], deficitMm: number): number {
  const { fullKpa, growthMm } = soils[soil];
  return rounded(Math.min(probeLimitKpa, fullKpa * Math.exp(deficitMm / growthMm)), 1);
}
