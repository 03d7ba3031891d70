import type { LatLng } from '../schemas.ts';

/**
 * Areas on the ellipsoid of WGS 84, and whether a boundary crosses itself. Degrees in, hectares and square metres out.
 * Area: the authalic cylinder (Snyder, "Map projections: a working manual", USGS 1987, eq. 3-11 to 3-13), on which areas are
 * true; sides are straight there, which for sides of 10 km is within 0.01 % of the geodesic.
 */
const EQUATOR_M = 6_378_137;
const FLATTENING = 1 / 298.257_223_563;
const E2 = FLATTENING * (2 - FLATTENING);
const E = Math.sqrt(E2);
/** Fewest and most points of a boundary. spec 1 §9; the upper limit is ours. */
export const BOUNDARY_POINTS = { min: 3, max: 2000 } as const;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Snyder's q of a latitude, degrees: grows with the area between it and the equator. */
function authalicQ(lat: number): number {
  const sin = Math.sin(radians(lat));
  return (1 - E2) * (sin / (1 - E2 * sin * sin) + Math.atanh(E * sin) / E);
}

/** Area inside a ring of degrees, m²; the last point need not repeat the first. Less than three points enclose nothing. */
export function areaSquareMetres(ring: readonly LatLng[]): number {
  const points = corners(ring).map(({ lat, lng }) => ({ x: radians(lng), y: authalicQ(lat) }));
  const origin = points[0];
  if (!origin || points.length < BOUNDARY_POINTS.min) return 0;
  let twice = 0;
  for (const [index, point] of points.entries()) {
    const next = points[index + 1] ?? origin;
    // Against the first corner: otherwise small farms are differences of large numbers.
    twice += (point.x - origin.x) * (next.y - origin.y) - (next.x - origin.x) * (point.y - origin.y);
  }
  return (Math.abs(twice) / 2) * ((EQUATOR_M * EQUATOR_M) / 2);
}

/** Area inside a ring, hectares, to the nearest 10 m². */
export function areaHectares(ring: readonly LatLng[]): number {
  return Math.round(areaSquareMetres(ring) / 10) / 1000;
}

const number = new Intl.NumberFormat('en-NZ', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `9,500.00 m²`, `204.47 ha` or `150.00 km²`: m² below one hectare, km² from 10,000 ha on. */
export function areaText(hectares: number): string {
  if (hectares < 1) return `${number.format(hectares * 10_000)} m²`;
  return hectares < 10_000 ? `${number.format(hectares)} ha` : `${number.format(hectares / 100)} km²`;
}

/** The ring's corners: no point twice in a row, not the first again at the end, and no jump at 180° E. */
export function corners(ring: readonly LatLng[]): LatLng[] {
  const distinct: LatLng[] = [];
  for (const { lat, lng } of ring) {
    const last = distinct.at(-1);
    const turns = last ? Math.round((last.lng - lng) / 360) : 0;
    if (last?.lat !== lat || last.lng !== lng + turns * 360) distinct.push({ lat, lng: lng + turns * 360 });
  }
  const first = distinct[0];
  while (distinct.length > 1 && isSame(first, distinct.at(-1))) distinct.pop();
  return distinct;
}

const isSame = (one: LatLng | undefined, other: LatLng | undefined) =>
  one?.lat === other?.lat && one?.lng === other?.lng;

interface Side {
  readonly index: number;
  readonly from: LatLng;
  readonly to: LatLng;
  readonly west: number;
  readonly east: number;
}

/** Whether two sides of the ring cross or touch anywhere but in the corner they share. */
export const crossesItself = (ring: readonly LatLng[]): boolean => crossingOf(ring) !== null;

/** The corner at which a side begins that crosses or touches another; null: none does. */
export function crossingOf(ring: readonly LatLng[]): LatLng | null {
  const sides = sidesOf(corners(ring));
  const byWest = sides.toSorted((a, b) => a.west - b.west);
  for (const [position, side] of byWest.entries()) {
    for (let next = position + 1; next < byWest.length; next += 1) {
      const other = byWest[next];
      // Further on, all begin east of where this one ends.
      if (!other || other.west > side.east) break;
      if (meet(side, other, sides.length)) return side.from;
    }
  }
  return null;
}

function sidesOf(points: readonly LatLng[]): Side[] {
  return points.map((from, index) => {
    const to = points[(index + 1) % points.length] ?? from;
    return { index, from, to, west: Math.min(from.lng, to.lng), east: Math.max(from.lng, to.lng) };
  });
}

function meet(one: Side, other: Side, count: number): boolean {
  if ((one.index + 1) % count === other.index) return foldsBack(one, other);
  if ((other.index + 1) % count === one.index) return foldsBack(other, one);
  return intersect(one, other);
}

/** The second side begins where the first ends, and runs back over it. */
function foldsBack(first: Side, second: Side): boolean {
  if (turn(first.from, first.to, second.to) !== 0) return false;
  const along =
    (first.to.lng - first.from.lng) * (second.to.lng - second.from.lng) +
    (first.to.lat - first.from.lat) * (second.to.lat - second.from.lat);
  return along < 0;
}

function intersect(one: Side, other: Side): boolean {
  const a = turn(one.from, one.to, other.from);
  const b = turn(one.from, one.to, other.to);
  const c = turn(other.from, other.to, one.from);
  const d = turn(other.from, other.to, one.to);
  if (a * b < 0 && c * d < 0) return true;
  return (
    (a === 0 && isWithin(one, other.from)) ||
    (b === 0 && isWithin(one, other.to)) ||
    (c === 0 && isWithin(other, one.from)) ||
    (d === 0 && isWithin(other, one.to))
  );
}

/** 1 when the way from `from` by `to` to `point` turns left, -1 when right, 0 when it goes straight. */
function turn(from: LatLng, to: LatLng, point: LatLng): number {
  return Math.sign(
    (to.lng - from.lng) * (point.lat - from.lat) - (to.lat - from.lat) * (point.lng - from.lng),
  );
}

function isWithin({ from, to, west, east }: Side, { lat, lng }: LatLng): boolean {
  return lng >= west && lng <= east && lat >= Math.min(from.lat, to.lat) && lat <= Math.max(from.lat, to.lat);
}
