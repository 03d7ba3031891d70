import { isWithin, type Limits } from './within.ts';

/** What one tip of a rain gauge's bucket stands for, mm. */
export const MM_PER_TIP = 0.2;
const TIPS_PER_MM = 5;
/** Sensors of tension that a site may have, the last two only some. */
export const soilProbes = ['swp1', 'swp2', 'swp3', 'swp4'] as const;
export type SoilProbe = (typeof soilProbes)[number];
/** Soil tension that these probes can measure, kPa. */
export const TENSION_KPA: Limits = { min: 0, max: 200 };

/** mm of rain. A division, since 0.2 has no exact number: 3 tips are 0.6 mm, not 0.6000000000000001. */
export const mmOfTips = (tips: number): number => tips / TIPS_PER_MM;

/** Tips, whole ones or parts of one, in which `mm` of rain are told. */
export const tipsOfMm = (mm: number): number => mm * TIPS_PER_MM;

/** Whether this can be a soil's tension, kPa. */
export const isValidTension = (kpa: number | null | undefined): kpa is number => isWithin(TENSION_KPA, kpa);

export type TensionColour = 'blue' | 'green' | 'salmon' | 'red';

/**
 * Colour of one tension, kPa: up to 10 blue, up to 20 green, up to 50 salmon, else red. The specification leaves 20 to 30
 * open; it joins salmon, so that drier soil never looks wetter. Spec 1 §9. (A chart's background has the person's own bands.)
 */
export function tensionColour(kpa: number): TensionColour {
  if (kpa <= 10) return 'blue';
  if (kpa <= 20) return 'green';
  return kpa <= 50 ? 'salmon' : 'red';
}

/** Where the axis of a soil chart ends, kPa: the larger peak, at most 200; the whole scale when there is none. spec 2 §9 */
export function tensionAxisMax(peak1: number | null, peak2: number | null): number {
  return Math.min(TENSION_KPA.max, Math.max(peak1 ?? 0, peak2 ?? 0)) || TENSION_KPA.max;
}
