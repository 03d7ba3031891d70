import type { LatLng } from '../schemas.ts';

/** Distances on a sphere of the Earth's mean radius (IUGG: 6,371.0088 km), which is within 0.6 % of the ellipsoid. */
const RADIUS_KM = 6371.0088;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Along a great circle, km. */
export function distanceKm(one: LatLng, other: LatLng): number {
  const [a, b] = [radians(one.lat), radians(other.lat)];
  const half = Math.sin((b - a) / 2) ** 2;
  const across = Math.cos(a) * Math.cos(b) * Math.sin(radians(other.lng - one.lng) / 2) ** 2;
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(half + across)));
}

/** From a place to the land inside a ring, km: 0 within it, else to its nearest side. A ring of less than three points has no land. */
export function kmFromLand(place: LatLng, ring: readonly LatLng[]): number {
  if (isInside(place, ring)) return 0;
  return Math.min(
    ...ring.map((corner, index) => kmFromSide(place, corner, ring[(index + 1) % ring.length] ?? corner)),
  );
}

/** The difference of two longitudes the short way round, degrees. */
const turn = (degrees: number) => degrees - 360 * Math.round(degrees / 360);

/** On a plane that touches the Earth at the place: exact enough for the sides of a farm. */
function kmFromSide(place: LatLng, from: LatLng, to: LatLng): number {
  const flat = ({ lat, lng }: LatLng) => ({
    x: turn(lng - place.lng) * Math.cos(radians(place.lat)),
    y: lat - place.lat,
  });
  const [a, b] = [flat(from), flat(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(a.x * dx + a.y * dy) / length));
  const nearest = {
    lat: from.lat + along * (to.lat - from.lat),
    lng: from.lng + along * turn(to.lng - from.lng),
  };
  return distanceKm(place, nearest);
}

/** Even-odd: how many sides a line to the east meets. */
export function isInside(place: LatLng, ring: readonly LatLng[]): boolean {
  if (ring.length < 3) return false;
  let isIn = false;
  for (const [index, from] of ring.entries()) {
    const to = ring[(index + 1) % ring.length] ?? from;
    if (from.lat > place.lat === to.lat > place.lat) continue;
    const part = (place.lat - from.lat) / (to.lat - from.lat);
    const at = turn(from.lng - place.lng) + part * turn(to.lng - from.lng);
    if (at > 0) isIn = !isIn;
  }
  return isIn;
}
