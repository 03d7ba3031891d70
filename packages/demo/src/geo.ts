import type { LatLng } from './profile.ts';

const metresPerDegree = 111_320;

/** A point some metres to the east and north: flat-earth arithmetic, good to a metre across a farm. */
export function pointAt(origin: LatLng, eastM: number, northM: number): LatLng {
  const lat = origin.lat + northM / metresPerDegree;
  const lng = origin.lng + eastM / (metresPerDegree * Math.cos((origin.lat * Math.PI) / 180));
  return { lat: rounded(lat), lng: rounded(lng) };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** True when the point is inside the polygon (even-odd rule). */
export function isInside(point: LatLng, polygon: readonly LatLng[]): boolean {
  let inside = false;
  for (const [index, from] of polygon.entries()) {
    const to = polygon[(index + 1) % polygon.length];
    if (!to || from.lat > point.lat === to.lat > point.lat) continue;
    const crossing = from.lng + ((to.lng - from.lng) * (point.lat - from.lat)) / (to.lat - from.lat);
    if (point.lng < crossing) inside = !inside;
  }
  return inside;
}

/** On the flat, m: exact enough within a farm. */
export function metresBetween(one: LatLng, other: LatLng): number {
  const north = (other.lat - one.lat) * metresPerDegree;
  const east = (other.lng - one.lng) * metresPerDegree * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(north, east);
}
