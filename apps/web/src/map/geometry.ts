import type { LatLng } from '@headrace/contract/schemas';

export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The same place, counted on over 180° where that is nearer to a longitude: 179.9° and -179.9° are neighbours. */
export function nearTo<T extends LatLng>(lng: number, place: T): T {
  const turns = Math.round((lng - place.lng) / 360);
  return turns === 0 ? place : { ...place, lng: place.lng + turns * 360 };
}

/** The smallest box around the points, or null when there are none. Over the date line it goes on beyond 180°. */
export function boxOf(points: readonly LatLng[]): Box | null {
  const first = points[0];
  if (!first) return null;
  const box = { south: first.lat, west: first.lng, north: first.lat, east: first.lng };
  for (const point of points) {
    const { lat, lng } = nearTo(first.lng, point);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
    box.west = Math.min(box.west, lng);
    box.east = Math.max(box.east, lng);
  }
  return box;
}

/** Whether the point lies inside the polygon (even-odd). Fewer than three corners enclose nothing. */
export function isInside(polygon: readonly LatLng[], point: LatLng): boolean {
  const first = polygon[0];
  if (!first || polygon.length < 3) return false;
  const ring = polygon.map((corner) => nearTo(first.lng, corner));
  const { lat, lng } = nearTo(first.lng, point);
  let inside = false;
  ring.forEach((a, index) => {
    const b = ring[(index + ring.length - 1) % ring.length];
    if (!b || a.lat > lat === b.lat > lat) return;
    const crossing = a.lng + ((lat - a.lat) / (b.lat - a.lat)) * (b.lng - a.lng);
    if (lng < crossing) inside = !inside;
  });
  return inside;
}

/** Position on the unit square of the web's map projection: x east, y south, 0…1. */
export function toWorld(lat: number, lng: number): [x: number, y: number] {
  const sin = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180);
  return [lng / 360 + 0.5, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)];
}
