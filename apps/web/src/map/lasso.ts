import type { LatLng } from '@headrace/contract/schemas';
import { boxOf, isInside, nearTo } from './geometry.ts';
import type { Px } from './draft.ts';

export type LassoMode = 'tap' | 'lasso' | 'rectangle' | 'polygon';
/** Whether what is caught joins what is chosen, or leaves it. */
export type LassoEffect = 'add' | 'remove';

/** The four corners of a rectangle between two opposite ones. */
export const rectangleOf = (from: LatLng, to: LatLng): LatLng[] => [
  from,
  { lat: from.lat, lng: to.lng },
  to,
  { lat: to.lat, lng: from.lng },
];

/** Whose place lies inside the ring. */
export function caughtBy<T extends LatLng & { id: string }>(
  ring: readonly LatLng[],
  devices: readonly T[],
): T[] {
  const box = boxOf(ring);
  if (!box || ring.length < 3) return [];
  return devices.filter((device) => {
    const { lat, lng } = nearTo(box.west, device);
    const isNear = lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east;
    return isNear && isInside(ring, device);
  });
}

/** What is chosen once these were added or removed; the same set when nothing changed. */
export function chosenWith(
  chosen: ReadonlySet<string>,
  ids: readonly string[],
  effect: LassoEffect,
): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const id of ids) {
    if (effect === 'add') next.add(id);
    else next.delete(id);
  }
  return next.size === chosen.size ? chosen : next;
}

/** Steps of a freehand line shorter than this say nothing, px. */
const STEP_PX = 4;
export const isStep = (last: Px | undefined, { x, y }: Px): boolean =>
  !last || Math.hypot(last.x - x, last.y - y) >= STEP_PX;
