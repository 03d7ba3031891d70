import type { LatLng } from '../schemas.ts';
import { isInside } from './distance.ts';
import { corners } from './polygon.ts';

/**
 * A point inside an area to stand for it: its centre of mass, or, where that lies outside (a crescent), the middle of the widest piece of
 * the line from west to east through its middle. Rounded to 7 digits, about a centimetre. An area of no size: its first corner.
 */
export function innerPoint(ring: readonly LatLng[]): LatLng {
  const points = corners(ring);
  const [origin = { lat: 0, lng: 0 }] = points;
  const centre = centroid(points, origin);
  const found = centre && isInside(centre, ring) ? centre : (widest(points) ?? origin);
  return { lat: round(found.lat), lng: round(turned(found.lng)) };
}

const round = (degrees: number) => Number(degrees.toFixed(7));
/** Corners count on beyond 180°. */
const turned = (lng: number) => lng - 360 * Math.round(lng / 360);

/** Reckoned from the first corner, so that small areas aren't differences of large numbers. */
function centroid(points: readonly LatLng[], origin: LatLng): LatLng | null {
  let [twice, lat, lng] = [0, 0, 0];
  for (const [index, one] of points.entries()) {
    const next = points[index + 1] ?? origin;
    const [ax, ay] = [one.lng - origin.lng, one.lat - origin.lat];
    const [bx, by] = [next.lng - origin.lng, next.lat - origin.lat];
    const cross = ax * by - bx * ay;
    twice += cross;
    lng += (ax + bx) * cross;
    lat += (ay + by) * cross;
  }
  return twice === 0 ? null : { lat: origin.lat + lat / (3 * twice), lng: origin.lng + lng / (3 * twice) };
}

function widest(points: readonly LatLng[]): LatLng | null {
  const lats = points.map(({ lat }) => lat);
  const middle = (Math.min(...lats) + Math.max(...lats)) / 2;
  const crossings = points
    .flatMap((from, index) => {
      const to = points[(index + 1) % points.length] ?? from;
      if (from.lat > middle === to.lat > middle) return [];
      return [from.lng + ((middle - from.lat) / (to.lat - from.lat)) * (to.lng - from.lng)];
    })
    .toSorted((one, other) => one - other);
  let best: { width: number; lng: number } | null = null;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [west = 0, east = 0] = crossings.slice(at, at + 2);
    if (!best || east - west > best.width) best = { width: east - west, lng: (west + east) / 2 };
  }
  return best && { lat: middle, lng: best.lng };
}
