import type { DeviceRow } from '../../db/schema.ts';

interface Charged {
  readonly settings: DeviceRow['settings'];
  /** % */
  readonly charge: number | null;
  /** Epoch ms. */
  readonly charge_at: number | null;
}

/** When its battery was last replaced, ISO-8601; null: never, as far as is known. */
export function replacedAt({ settings }: Pick<Charged, 'settings'>): string | null {
  const at = settings['replaceBatteryAt'];
  return typeof at === 'string' ? at : null;
}

/** The charge of a battery that was taken out says nothing of the one that is in now: null until the unit reports again. */
export function chargeSince(unit: Charged): number | null {
  const replaced = replacedAt(unit);
  return replaced !== null && (unit.charge_at ?? 0) < Date.parse(replaced) ? null : unit.charge;
}
