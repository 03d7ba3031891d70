import type { LatLng } from '../schemas.ts';

/** Of sprinklers one behind the other: farther apart than this they aren't of one line, m. */
const MAX_SPACING_M = 300;
/** Of a great circle, m; one degree of latitude. */
const DEGREE_M = 111_195;
/** Six decimals are 0.1 m. */
const DECIMALS = 1e6;
/** A name is tried so often before nothing is proposed. */
const TRIES = 10_000;

/**
 * The name after this one: its last number counted on, with its zeros (A9, A10; L3-07, L3-08). Names in `taken` are passed
 * over, in whatever case. '' when the name has no number or the next doesn't fit into `max` characters.
 */
export function nextName(name: string, max: number, taken: ReadonlySet<string> = new Set()): string {
  const parts = /^(.*?)(\d+)(\D*)$/su.exec(name.trim());
  if (!parts) return '';
  const [, before = '', digits = '', after = ''] = parts;
  const used = new Set([...taken].map(folded));
  for (let step = 1; step <= TRIES; step += 1) {
    const counted = String(BigInt(digits) + BigInt(step)).padStart(digits.length, '0');
    const next = `${before}${counted}${after}`;
    if (next.length > max) return '';
    if (!used.has(folded(next))) return next;
  }
  return '';
}

const folded = (name: string) => name.trim().toLowerCase();

/**
 * The place that carries on the line from `before` to `last` by their spacing. null when they are no line: one is missing,
 * both are the same, or they are more than 300 m apart.
 */
export function nextPlace(before: LatLng | null | undefined, last: LatLng | null | undefined): LatLng | null {
  if (!before || !last) return null;
  const lat = last.lat - before.lat;
  // Over 180° by the short way.
  const lng = shortWay(last.lng - before.lng);
  const apart = Math.hypot(lat, lng * Math.cos((last.lat * Math.PI) / 180)) * DEGREE_M;
  if (apart === 0 || apart > MAX_SPACING_M) return null;
  const next = { lat: rounded(last.lat + lat), lng: rounded(shortWay(last.lng + lng)) };
  return Math.abs(next.lat) > 90 ? null : next;
}

const shortWay = (degrees: number) => degrees - 360 * Math.round(degrees / 360);
const rounded = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS;
