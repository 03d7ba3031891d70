import { clamp, rounded } from './noise.ts';

export type BatteryKind = 'mains' | 'good' | 'shaded' | 'failing';

/** Share of the battery that a panel brings per hour of overhead sun, and the voltage from empty to full. */
const panels: Record<
  Exclude<BatteryKind, 'mains'>,
  { perSunHour: number; emptyV: number; spanV: number; start: number }
> = {
  good: { perSunHour: 0.11, emptyV: 3.62, spanV: 0.43, start: 0.97 },
  shaded: { perSunHour: 0.04, emptyV: 3.56, spanV: 0.45, start: 0.7 },
  failing: { perSunHour: 0.027, emptyV: 3.24, spanV: 0.16, start: 0.4 },
};
/** A sensor's radio and probe empty the battery in eleven days. */
const loadPerHour = 0.09 / 24;

export function startCharge(kind: BatteryKind): number {
  return kind === 'mains' ? 1 : panels[kind].start;
}

/** Charge, 0 to 1, after some hours of this sun. */
export function stepCharge(kind: BatteryKind, charge: number, hours: number, sun: number): number {
  if (kind === 'mains') return 1;
  return clamp(charge + (panels[kind].perSunHour * sun - loadPerHour) * hours, 0.04, 1);
}

export function isCharging(kind: BatteryKind, charge: number, sun: number): boolean {
  return kind !== 'mains' && sun > 0.08 && charge < 0.999;
}

/** Volts at the terminals: higher while the sun charges it, a little lower in the cold. `null` for mains. */
export function batteryVolts(
  kind: BatteryKind,
  charge: number,
  sun: number,
  temperatureC: number,
): number | null {
  if (kind === 'mains') return null;
  const { emptyV, spanV } = panels[kind];
  const cold = temperatureC < 5 ? (5 - temperatureC) * 0.004 : 0;
  return rounded(emptyV + spanV * charge + 0.06 * sun - cold, 2);
}
