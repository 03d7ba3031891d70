import type { LatLng } from '@headrace/contract/schemas';
import { nearTo, toWorld } from './geometry.ts';

/** A small map's own units, as the viewBox of its drawing. */
export const SMALL_MAP = { width: 200, height: 104 } as const;
const PADDING = 8;
/** A farm without extent isn't shown closer than this: some 400 m, in widths of the world. */
const MIN_SPAN = 1e-5;

/** Outline and places as path data, fitted into the small map; empty where there are none. */
export function drawSmallMap(boundary: readonly LatLng[], places: readonly LatLng[]) {
  const from = (boundary[0] ?? places[0])?.lng ?? 0;
  const projected = (place: LatLng) => {
    const { lat, lng } = nearTo(from, place);
    return toWorld(lat, lng);
  };
  const all = [...boundary, ...places].map(projected);
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const [left, right, top, bottom] = [least(xs), most(xs), least(ys), most(ys)];
  const scale = Math.min(
    (SMALL_MAP.width - 2 * PADDING) / Math.max(right - left, MIN_SPAN),
    (SMALL_MAP.height - 2 * PADDING) / Math.max(bottom - top, MIN_SPAN),
  );
  const at = (place: LatLng) => {
    const [x, y] = projected(place);
    const px = SMALL_MAP.width / 2 + (x - (left + right) / 2) * scale;
    const py = SMALL_MAP.height / 2 + (y - (top + bottom) / 2) * scale;
    return `${px.toFixed(1)} ${py.toFixed(1)}`;
  };
  return {
    outline: boundary.length < 3 ? '' : `M${boundary.map(at).join('L')}Z`,
    // A line without length and with round ends is a disc: one element draws them all.
    dots: places.map((place) => `M${at(place)}h0`).join(''),
  };
}

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b), Infinity);
const most = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);
