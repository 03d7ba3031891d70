import { all, atLeast, atMost, isNumber, required } from '../form-rules.ts';

/** Soil, crop and when to irrigate. */
export interface SoilSettings {
  /** Water that a metre of soil holds for plants, mm. */
  readonly awcMmPerM: number;
  /** How deep roots take water, m. */
  readonly rootM: number;
  /** Share of it that the crop takes without effort (FAO-56, p). */
  readonly easyShare: number;
  /** Its use against that of the reference crop (FAO-56, Kc). */
  readonly kc: number;
  /** Share of a full soil at or below which to irrigate, and up to which. */
  readonly triggerShare: number;
  readonly targetShare: number;
  /** Share of what sprinklers give that reaches the roots. */
  readonly efficiency: number;
}

/**
 * Nobody has entered anything: grazed pasture on a sandy loam. FAO-56: table 19 (0.11 to 0.15 m³/m³), table 22 (roots from 0.5 m on,
 * p 0.60), table 12 (Kc 0.85 to 1.05, rotated). Efficiency until a bucket test says.
 */
export const defaultSoil: SoilSettings = {
  awcMmPerM: 130,
  rootM: 0.5,
  easyShare: 0.6,
  kc: 0.95,
  triggerShare: 0.65,
  targetShare: 0.8,
  efficiency: 0.85,
};

/** Middle values of FAO-56, table 19, mm a metre. */
export const soilKinds = [
  { name: 'Sand', awcMmPerM: 80 },
  { name: 'Loamy sand', awcMmPerM: 90 },
  { name: 'Sandy loam', awcMmPerM: 130 },
  { name: 'Loam', awcMmPerM: 155 },
  { name: 'Silt loam', awcMmPerM: 160 },
  { name: 'Silt', awcMmPerM: 180 },
  { name: 'Clay', awcMmPerM: 160 },
] as const;

/** What roots can take from the soil when it is full, mm (FAO-56, TAW). */
export const fullMm = ({ awcMmPerM, rootM }: Pick<SoilSettings, 'awcMmPerM' | 'rootM'>): number =>
  awcMmPerM * rootM;

/** Smallest and largest that can be entered. */
export const soilLimits: { readonly [K in keyof SoilSettings]: readonly [least: number, most: number] } = {
  awcMmPerM: [10, 400],
  rootM: [0.05, 3],
  easyShare: [0.1, 0.9],
  kc: [0.1, 2],
  triggerShare: [0.05, 0.95],
  targetShare: [0.1, 1],
  efficiency: [0.3, 1],
};

/** What is wrong with a number that was entered; null: nothing. `least` and `most` in the unit that the form shows. */
export const validateNumber = (label: string, [least, most]: readonly [number, number], unit: string) =>
  all(required(label), isNumber(label), atLeast(label, least, unit), atMost(label, most, unit));

/** The target lies above the trigger, or nothing would ever be given. */
export const validateTarget = ({
  triggerShare,
  targetShare,
}: Pick<SoilSettings, 'triggerShare' | 'targetShare'>): string | null =>
  targetShare > triggerShare ? null : 'Fill up to must be more than Irrigate at.';
