import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';
import type { MapMarker } from './marker.ts';

/** Positions no further apart than this are the same place: about a metre. */
const SAME_PLACE_DEGREES = 0.00001;

/**
 * Moves devices that share a location apart, onto a square grid that starts at their place: the first stays where it is, and
 * nobody is moved onto another's place. Order in, order out. `spacing` in degrees.
 */
export function spread<T extends LatLng>(devices: readonly T[], spacing: number = MAP.gridOther): T[] {
  const taken = createPlaces();
  const together: number[][] = [];
  devices.forEach((device, index) => {
    const at = taken.find(device);
    if (at !== null) together[at]?.push(index);
    else taken.add(device, together.push([index]) - 1);
  });
  const placed = [...devices];
  for (const [at, [first, ...mates]] of together.entries()) {
    const origin = devices[first ?? 0];
    if (!origin || mates.length === 0) continue;
    const spots = gridFrom(origin, Math.ceil(Math.sqrt(mates.length + 1)), spacing);
    for (const index of mates) {
      const device = devices[index];
      const free = spots.find((spot) => taken.find(spot) === null);
      if (!device || !free) continue;
      taken.add(free, at);
      placed[index] = { ...device, ...free };
    }
  }
  return placed;
}

/** The places of a grid row by row southwards, without its first one; there is no last. */
function gridFrom({ lat, lng }: LatLng, columns: number, spacing: number) {
  let nth = 0;
  return {
    find(isWanted: (spot: LatLng) => boolean): LatLng {
      for (;;) {
        nth += 1;
        const spot = {
          lat: lat - Math.floor(nth / columns) * spacing,
          lng: lng + (nth % columns) * spacing,
        };
        if (isWanted(spot)) return spot;
      }
    },
  };
}

/** Twice as wide as a place: two who share one lie in one of four cells, on whichever side of a border. */
const CELL_DEGREES = 2 * SAME_PLACE_DEGREES;
/** More than the cells of a circle of latitude. */
const CELLS_ROUND = 2 ** 26;

/** Places with the number of whoever is there. */
function createPlaces() {
  const cells = new Map<number, (LatLng & { who: number })[]>();
  const isSame = (a: LatLng, b: LatLng) =>
    Math.abs(a.lat - b.lat) <= SAME_PLACE_DEGREES && Math.abs(a.lng - b.lng) <= SAME_PLACE_DEGREES;
  const key = (row: number, column: number) => row * CELLS_ROUND + column;
  return {
    add({ lat, lng }: LatLng, who: number): void {
      const cell = key(Math.floor(lat / CELL_DEGREES), Math.floor(lng / CELL_DEGREES));
      const there = cells.get(cell);
      if (there) there.push({ lat, lng, who });
      else cells.set(cell, [{ lat, lng, who }]);
    },
    /** The number of the first who is there, null: nobody. */
    find(place: LatLng): number | null {
      // The nearer half of a cell tells which neighbours reach into it.
      const row = Math.round(place.lat / CELL_DEGREES);
      const column = Math.round(place.lng / CELL_DEGREES);
      for (let dy = -1; dy <= 0; dy += 1)
        for (let dx = -1; dx <= 0; dx += 1) {
          const found = cells.get(key(row + dy, column + dx))?.find((other) => isSame(other, place));
          if (found) return found.who;
        }
      return null;
    },
  };
}

/** Markers by their kind's own grid, so that a gateway never pushes sprinklers about. Order in, order out. */
export function spreadMarkers(markers: readonly MapMarker[]): MapMarker[] {
  const isUnit = ({ shape }: MapMarker) => shape === 'sprinkler';
  const units = spread(markers.filter(isUnit), MAP.gridIpc);
  const others = spread(
    markers.filter((marker) => !isUnit(marker)),
    MAP.gridOther,
  );
  let unit = 0;
  let other = 0;
  return markers.map((marker) => (isUnit(marker) ? units[unit++] : others[other++]) ?? marker);
}
