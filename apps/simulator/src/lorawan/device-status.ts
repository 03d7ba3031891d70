import { clamp, smoothNoise } from '../models/noise.ts';

const dayMs = 86_400_000;
/** A lithium cell as LoRaWAN sensors have it: empty and full, V. */
const emptyV = 3.2;
const fullV = 4.05;

/** % left at a voltage; `null` for a sensor that doesn't measure it. */
export function batteryPercent(batteryV: number | null | undefined): number | null {
  if (typeof batteryV !== 'number') return null;
  return Math.round(clamp((batteryV - emptyV) / (fullV - emptyV), 0.01, 1) * 100);
}

/** dB of signal to spare, other from day to day as leaves and weather are. */
export function signalMarginDb(key: number, at: number): number {
  return Math.round(7 + 8 * smoothNoise(key, at / dayMs));
}
