import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';
import type { MapMarker } from './marker.ts';

/** Positions closer than this are the same place: about a metre. */
const SAME_PLACE_DEGREES = 0.00001;

/**
 * Moves devices that share a location apart, onto a square grid that starts at their place: the first stays where it is.
 * Order in, order out. `spacing` in degrees.
 */
export function spread<T extends LatLng>(devices: readonly T[], spacing: number = MAP.gridOther): T[] {
  const together = new Map<string, number[]>();
  devices.forEach(({ lat, lng }, index) => {
    const key = `${Math.round(lat / SAME_PLACE_DEGREES)}/${Math.round(lng / SAME_PLACE_DEGREES)}`;
    const mates = together.get(key);
    if (mates) mates.push(index);
    else together.set(key, [index]);
  });
  const placed = [...devices];
  for (const mates of together.values()) {
    const columns = Math.ceil(Math.sqrt(mates.length));
    mates.forEach((index, nth) => {
      const device = devices[index];
      if (nth === 0 || !device) return;
      placed[index] = {
        ...device,
        lat: device.lat - Math.floor(nth / columns) * spacing,
        lng: device.lng + (nth % columns) * spacing,
      };
    });
  }
  return placed;
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
