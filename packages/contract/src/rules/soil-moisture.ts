import { TENSION_KPA } from '@headrace/device/limits';
import type { StressBand } from '../settings.ts';
import { bandOf } from './stress-bands.ts';
import { isWithin } from './within.ts';

/** What one tip of a rain gauge's bucket stands for, mm. */
export const MM_PER_TIP = 0.2;
const TIPS_PER_MM = 5;
/** Sensors of tension that a site may have, the last two only some. */
export const soilProbes = ['swp1', 'swp2', 'swp3', 'swp4'] as const;
export type SoilProbe = (typeof soilProbes)[number];

/** mm of rain. A division, since 0.2 has no exact number: 3 tips are 0.6 mm, not 0.6000000000000001. */
export const mmOfTips = (tips: number): number => tips / TIPS_PER_MM;

/** Tips, whole ones or parts of one, in which `mm` of rain are told. */
export const tipsOfMm = (mm: number): number => mm * TIPS_PER_MM;

/** Whether this can be a soil's tension, kPa. */
export const isValidTension = (kpa: number | null | undefined): kpa is number => isWithin(TENSION_KPA, kpa);

/**
 * Colour of a tension where none of the person's bands holds, kPa: up to 10 blue, up to 20 green, up to 50 salmon, else red. The
 * specification leaves 20 to 30 open; it joins salmon, so that drier soil never looks wetter. Spec 1 §9.
 */
function tensionColour(kpa: number): string {
  if (kpa <= 10) return '#1769d2';
  if (kpa <= 20) return '#1b7f3b';
  return kpa <= 50 ? '#d8654f' : '#c8202f';
}

export interface TensionLook {
  colour: string;
  /** The person's word for it; null where none of their bands holds. */
  label: string | null;
}

/** How a tension is shown, wherever it is: by the person's own bands. */
export function tensionLook(bands: readonly StressBand[], kpa: number): TensionLook {
  const band = bandOf(bands, kpa);
  return { colour: band?.color ?? tensionColour(kpa), label: band?.name ?? null };
}

/** Beyond the start of the last band the axis goes on by this, kPa: so that the band is seen, and its name. */
const LAST_BAND_KPA = 15;

/**
 * Where the axis of a soil chart ends, kPa: the larger peak, at most 200, and no nearer than where each of the bands is in sight; the
 * whole scale when there is no peak. spec 2 §9
 */
export function tensionAxisMax(peak: number | null, bands: readonly Pick<StressBand, 'start'>[]): number {
  const last = Math.max(0, ...bands.map(({ start }) => start));
  return peak === null ? TENSION_KPA.max : Math.min(TENSION_KPA.max, Math.max(peak, last + LAST_BAND_KPA));
}
