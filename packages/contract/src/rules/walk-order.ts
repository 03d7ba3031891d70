import type { LatLng } from '../schemas.ts';
import { distanceKm } from './distance.ts';

interface Placed {
  readonly location: LatLng | null;
}

/** One that is gone to, and how far it is from the one before or the beginning, m; null: it has no place on the map. */
export interface Leg<Stop> {
  readonly stop: Stop;
  readonly metres: number | null;
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
    legs.push({ stop: next.stop, metres: Math.round((distances[nearest] ?? 0) * 1000) });
    here = next.at;
  }
  return [
    ...legs,
    ...stops.filter(({ location }) => location === null).map((stop) => ({ stop, metres: null })),
  ];
}
