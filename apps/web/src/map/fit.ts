import type { LatLng } from '@headrace/contract/schemas';
import { nearTo, toWorld } from './geometry.ts';

/** How wide what is drawn is, px. */
export interface Size {
  width: number;
  height: number;
}

/** What is kept free at each side, px. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** What is in the middle of the drawing, on the unit square (beyond its edge over the date line), and its width there, px. */
export interface Fit {
  x: number;
  y: number;
  scale: number;
}

export interface FitOptions {
  size: Size;
  margins: Margins;
  /** No closer than this, px: the scale of a single place. */
  maxScale: number;
  /** The scales that there are: the next one below. */
  snap?: (scale: number) => number;
}

/** Margins leave at least this share of a small drawing. */
const LEAST_FREE = 0.5;

/** The closest look that has all points within the margins; null without points. */
export function fitPlaces(
  points: readonly LatLng[],
  { size, margins, maxScale, snap = (scale) => scale }: FitOptions,
): Fit | null {
  const [first] = points;
  if (!first) return null;
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of points) {
    const { lat, lng } = nearTo(first.lng, point);
    const [x, y] = toWorld(lat, lng);
    west = Math.min(west, x);
    east = Math.max(east, x);
    north = Math.min(north, y);
    south = Math.max(south, y);
  }
  const across = free(size.width, margins.left, margins.right);
  const down = free(size.height, margins.top, margins.bottom);
  const fits = Math.min(across.px / (east - west), down.px / (south - north), maxScale);
  const scale = snap(fits);
  return {
    x: (west + east) / 2 + across.shift / scale,
    y: (north + south) / 2 + down.shift / scale,
    scale,
  };
}

/** What the margins leave, and how far its middle lies before the drawing's, px. */
function free(whole: number, before: number, after: number): { px: number; shift: number } {
  const share = Math.min(1, ((1 - LEAST_FREE) * whole) / Math.max(1, before + after));
  return { px: whole - (before + after) * share, shift: ((after - before) * share) / 2 };
}

/** Width of the unit square at a zoom of web maps, px, and back. */
export const scaleAt = (zoom: number): number => 256 * 2 ** zoom;
export const zoomAt = (scale: number): number => Math.log2(scale / 256);
