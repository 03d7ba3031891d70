import type { LatLng } from '@headrace/contract/schemas';
import { fitPlaces } from './fit.ts';
import { nearTo, toWorld } from './geometry.ts';

/** A small map's own units, as the viewBox of its drawing. */
export const SMALL_MAP = { width: 200, height: 104 } as const;
const MARGIN = 8;
const MARGINS = { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN };
/** No closer than so that some 400 m fill the height, widths of the world. */
const MAX_SCALE = (SMALL_MAP.height - 2 * MARGIN) / 1e-5;

/** Outline and places as path data, fitted into the small map; empty where there are none. */
export function drawSmallMap(boundary: readonly LatLng[], places: readonly LatLng[]) {
  const from = (boundary[0] ?? places[0])?.lng ?? 0;
  const all = [...boundary, ...places];
  const fit = fitPlaces(all, { size: SMALL_MAP, margins: MARGINS, maxScale: MAX_SCALE });
  const { x: midX = 0, y: midY = 0, scale = 1 } = fit ?? {};
  const at = (place: LatLng) => {
    const { lat, lng } = nearTo(from, place);
    const [x, y] = toWorld(lat, lng);
    const px = SMALL_MAP.width / 2 + (x - midX) * scale;
    const py = SMALL_MAP.height / 2 + (y - midY) * scale;
    return `${px.toFixed(1)} ${py.toFixed(1)}`;
  };
  return {
    outline: boundary.length < 3 ? '' : `M${boundary.map(at).join('L')}Z`,
    // A line without length and with round ends is a disc: one element draws them all.
    dots: places.map((place) => `M${at(place)}h0`).join(''),
  };
}
