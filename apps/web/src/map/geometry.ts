import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';

export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The smallest box around the points, or null when there are none. */
export function boxOf(points: readonly LatLng[]): Box | null {
  const first = points[0];
  if (!first) return null;
  const box = { south: first.lat, west: first.lng, north: first.lat, east: first.lng };
  for (const { lat, lng } of points) {
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
    box.west = Math.min(box.west, lng);
    box.east = Math.max(box.east, lng);
  }
  return box;
}

/** The box grown on every side, degrees. */
export function padBox(box: Box, degrees: number = MAP.padding): Box {
  return {
    south: box.south - degrees,
    west: box.west - degrees,
    north: box.north + degrees,
    east: box.east + degrees,
  };
}

/** Whether the point lies inside the polygon (even-odd). Fewer than three corners enclose nothing. */
export function isInside(polygon: readonly LatLng[], point: LatLng): boolean {
  if (polygon.length < 3) return false;
  let inside = false;
  polygon.forEach((a, index) => {
    const b = polygon[(index + polygon.length - 1) % polygon.length];
    if (!b || a.lat > point.lat === b.lat > point.lat) return;
    const crossing = a.lng + ((point.lat - a.lat) / (b.lat - a.lat)) * (b.lng - a.lng);
    if (point.lng < crossing) inside = !inside;
  });
  return inside;
}

/** Position on the unit square of the web's map projection: x east, y south, 0…1. */
export function toWorld(lat: number, lng: number): [x: number, y: number] {
  const sin = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180);
  return [lng / 360 + 0.5, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)];
}
