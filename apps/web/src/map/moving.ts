import type { LatLng } from '@headrace/contract/schemas';
import { roundPlace } from './draft.ts';
import type { MapMarker } from './marker.ts';

/** Markers are moved: taps choose them instead of opening their popups. */
export interface Moving {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  /** The end of a drag, or Enter. */
  readonly onMove: (moves: readonly Move[]) => void;
  readonly onDone: () => void;
  /** Why a marker stays where it is, in a sentence; null: it may be moved. */
  readonly whyNot: (marker: MapMarker) => string | null;
}

export interface Move {
  readonly id: string;
  readonly to: LatLng;
}

/** How far the chosen ones are held from their places, degrees. */
export type Shift = LatLng;

/** What one press of an arrow key moves by, m; with Shift the second. */
export const STEP_M = { small: 1, big: 10 } as const;
/** A degree of latitude on a sphere of the Earth's mean radius, m. */
const DEGREE_M = 111_195;

export const shifted = <T extends LatLng>(place: T, { lat, lng }: Shift): T => ({
  ...place,
  ...roundPlace({ lat: place.lat + lat, lng: place.lng + lng }),
});

/** The shift with a step to the north and to the east, m, at a latitude, degrees. */
export const stepped = (shift: Shift, northM: number, eastM: number, latitude: number): Shift => ({
  lat: shift.lat + northM / DEGREE_M,
  lng: shift.lng + eastM / (DEGREE_M * Math.cos((latitude * Math.PI) / 180)),
});

const ways: Readonly<Record<string, readonly [north: number, east: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** To the north and to the east, m; null: it is no arrow key. */
export function stepOf({
  key,
  shiftKey,
}: {
  key: string;
  shiftKey: boolean;
}): readonly [number, number] | null {
  const way = ways[key];
  const by = shiftKey ? STEP_M.big : STEP_M.small;
  return way ? [way[0] * by, way[1] * by] : null;
}

/** "8 m", "340 m", "2.4 km" */
export const distanceText = (km: number): string =>
  km < 1 ? `${Math.round(km * 1000)} m` : `${km.toFixed(1)} km`;
