import { LEGACY_TANK } from '@headrace/contract/limits';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { SensorSettings } from '@headrace/contract/sensors';
import { invalid } from '../../http/errors.ts';

/** A tank is at most this much deeper than what its sensor doesn't see, mm. spec 1 §5 */
const TOPLEVEL_OVER_OFFSET_MM = 3000;

/** Text without blanks around it. Throws invalid when nothing is left. */
export function requiredText(text: string, field: string): string {
  const trimmed = text.trim();
  if (!trimmed) throw invalid(`${field} is required.`, field);
  return trimmed;
}

/** Both coordinates or none. Throws invalid. */
export function placeOf(
  lat?: number | null,
  lng?: number | null,
): { lat: number | null; lng: number | null } {
  const isThere = (value: number | null | undefined) => value !== undefined && value !== null;
  if (!isThere(lat) && isThere(lng)) throw invalid('lat is required where lng is given.', 'lat');
  if (!isThere(lng) && isThere(lat)) throw invalid('lng is required where lat is given.', 'lng');
  return { lat: lat ?? null, lng: lng ?? null };
}

/** Throws invalid, in the specification's words. */
export function checkSettings(type: number, { toplevel, offset }: SensorSettings): void {
  if (!tankTypes.includes(type) || toplevel === undefined) return;
  if (toplevel > (offset ?? LEGACY_TANK.offset) + TOPLEVEL_OVER_OFFSET_MM)
    throw invalid('Top water level can not be greater than offset + 3000 mm', 'settings.toplevel');
}
