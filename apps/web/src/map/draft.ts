import { BOUNDARY_POINTS, corners, crossesItself } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import { nearTo } from './geometry.ts';

/** Changes of a boundary that is being drawn. Every function gives a new ring and leaves the old one alone. */
export type Ring = readonly LatLng[];
export interface Px {
  x: number;
  y: number;
}
/** What a finger holds: a corner, or the middle of the side that begins at a corner. */
export interface Grip {
  kind: 'corner' | 'side';
  index: number;
}

/** Half of 44 px. */
export const GRIP_REACH_PX = 22;
/** Sides shorter than this have no middle to take hold of: it would lie under their corners, px. */
export const SIDE_MIN_PX = 48;
/** Six decimals are 0.1 m. */
const DECIMALS = 1e6;

export const roundPlace = ({ lat, lng }: LatLng): LatLng => ({
  lat: Math.round(lat * DECIMALS) / DECIMALS,
  lng: Math.round(lng * DECIMALS) / DECIMALS,
});

export const movedCorner = (ring: Ring, index: number, to: LatLng): LatLng[] =>
  ring.map((corner, at) => (at === index ? roundPlace(to) : corner));

/** The ring with a corner behind `index`; behind -1 it comes first. */
export const withCorner = (ring: Ring, index: number, place: LatLng): LatLng[] => [
  ...ring.slice(0, index + 1),
  roundPlace(place),
  ...ring.slice(index + 1),
];

export const withoutCorner = (ring: Ring, index: number): LatLng[] => ring.filter((_c, at) => at !== index);

/** Halfway along the side that begins at `index`; the last side leads back to the first corner. */
export function middleOf(ring: Ring, index: number): LatLng | null {
  const from = ring[index];
  const next = ring[(index + 1) % ring.length];
  if (!from || !next) return null;
  const to = nearTo(from.lng, next);
  return roundPlace(nearTo(0, { lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 }));
}

/** Whether these are the same corners in the same order. */
export const isSameRing = (one: Ring, other: Ring): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every(({ lat, lng }, at) => lat === other[at]?.lat && lng === other[at]?.lng));

/**
 * What a touch takes hold of: the nearest corner within a finger's reach, else the nearest middle of a side. `places`
 * are the corners in px; an open ring has no side from the last corner to the first.
 */
export function gripAt(places: readonly Px[], point: Px, isClosed: boolean): Grip | null {
  const corner = nearest(places, point);
  if (corner !== null) return { kind: 'corner', index: corner };
  const middles = sideMiddles(places, isClosed);
  const side = nearest(
    middles.map(({ at }) => at),
    point,
  );
  const found = side === null ? undefined : middles[side];
  return found ? { kind: 'side', index: found.index } : null;
}

/** The middles that can be taken hold of, px. */
export function sideMiddles(places: readonly Px[], isClosed: boolean): { index: number; at: Px }[] {
  const middles: { index: number; at: Px }[] = [];
  const sides = isClosed ? places.length : places.length - 1;
  for (let index = 0; index < sides; index++) {
    const from = places[index];
    const to = places[(index + 1) % places.length];
    if (!from || !to || Math.hypot(to.x - from.x, to.y - from.y) < SIDE_MIN_PX) continue;
    middles.push({ index, at: { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 } });
  }
  return middles;
}

function nearest(places: readonly Px[], { x, y }: Px): number | null {
  let found: number | null = null;
  let best = GRIP_REACH_PX;
  for (const [index, place] of places.entries()) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance > best) continue;
    best = distance;
    found = index;
  }
  return found;
}

/** Rings of more corners are only said to cross, not where. */
const MOST_SEARCHED = 400;

/** Where sides cross each other, to be marked; at most 20 places. An open ring has no last side yet. */
export function crossings(ring: Ring, isClosed: boolean): LatLng[] {
  const points = corners(ring);
  if (points.length < BOUNDARY_POINTS.min || points.length > MOST_SEARCHED || !crossesItself(ring)) return [];
  const found: LatLng[] = [];
  const sides = isClosed ? points.length : points.length - 1;
  for (let one = 0; one < sides; one++) {
    for (let other = one + 2; other < sides; other++) {
      if (one === 0 && other === points.length - 1) continue;
      const at = meeting(points, one, other);
      if (at && found.push(at) >= 20) return found;
    }
  }
  return found;
}

function meeting(points: Ring, one: number, other: number): LatLng | null {
  const [a, b] = [points[one], points[(one + 1) % points.length]];
  const [c, d] = [points[other], points[(other + 1) % points.length]];
  if (!a || !b || !c || !d) return null;
  const across = (b.lng - a.lng) * (d.lat - c.lat) - (b.lat - a.lat) * (d.lng - c.lng);
  if (across === 0) return null;
  const along = ((c.lng - a.lng) * (d.lat - c.lat) - (c.lat - a.lat) * (d.lng - c.lng)) / across;
  const alongOther = ((c.lng - a.lng) * (b.lat - a.lat) - (c.lat - a.lat) * (b.lng - a.lng)) / across;
  if (along < 0 || along > 1 || alongOther < 0 || alongOther > 1) return null;
  return { lat: a.lat + along * (b.lat - a.lat), lng: a.lng + along * (b.lng - a.lng) };
}
