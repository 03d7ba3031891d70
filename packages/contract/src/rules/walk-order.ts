import type { LatLng } from '../schemas.ts';
import { distanceKm } from './distance.ts';

interface Placed {
  readonly location: LatLng | null;
}

export const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
export type Direction = (typeof directions)[number];

/** One that is gone to, and the way there from the one before or the beginning; null: it has no place on the map. */
export interface Leg<Stop> {
  readonly stop: Stop;
  readonly way: { readonly metres: number; readonly towards: Direction } | null;
}

/** The nearest next, from where one begins; those without a place come last, as they were. */
export function walkOrder<Stop extends Placed>(stops: readonly Stop[], from: LatLng): Leg<Stop>[] {
  const left = stops.flatMap((stop) => (stop.location ? [{ stop, at: stop.location }] : []));
  const legs: Leg<Stop>[] = [];
  let here = from;
  while (left.length > 0) {
    const distances = left.map(({ at }) => distanceKm(here, at));
    const nearest = distances.indexOf(Math.min(...distances));
    const [next] = left.splice(nearest, 1);
    if (!next) break;
    const metres = Math.round((distances[nearest] ?? 0) * 1000);
    legs.push({ stop: next.stop, way: { metres, towards: directionOf(here, next.at) } });
    here = next.at;
  }
  return [...legs, ...stops.filter(({ location }) => location === null).map((stop) => ({ stop, way: null }))];
}

/** On the flat: exact enough for a farm. */
function directionOf(from: LatLng, to: LatLng): Direction {
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180);
  const turns = Math.atan2(east, to.lat - from.lat) / (2 * Math.PI);
  return directions[Math.round(turns * 8 + 8) % 8] ?? 'N';
}
