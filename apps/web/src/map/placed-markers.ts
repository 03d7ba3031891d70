import { compareNatural } from '@headrace/contract/rules/natural-order';
import { toWorld } from './geometry.ts';
import { TOUCH_RADIUS_PX, type MapMarker } from './marker.ts';
import { BODY_UP_PX } from './marker-sprites.ts';

/** A marker with its place on the unit square, so that drawing thousands projects none of them. */
export interface PlacedMarker {
  marker: MapMarker;
  worldX: number;
  worldY: number;
}

export function placeMarkers(markers: readonly MapMarker[], known: readonly PlacedMarker[]): PlacedMarker[] {
  return markers.map((marker, index) => {
    const old = known[index];
    if (old?.marker === marker) return old;
    if (old && old.marker.lat === marker.lat && old.marker.lng === marker.lng) return { ...old, marker };
    const [worldX, worldY] = toWorld(marker.lat, marker.lng);
    return { marker, worldX, worldY };
  });
}

/** What needs a person lies on top; then south over north, as pins stand. */
export function inDrawOrder(placed: readonly PlacedMarker[]): PlacedMarker[] {
  const weight = ({ marker: { isFaint, condition, shape } }: PlacedMarker) => {
    if (isFaint) return 0;
    if (condition === 'issue') return 3;
    return condition === 'caution' || shape !== 'sprinkler' ? 2 : 1;
  };
  return [...placed].sort((a, b) => weight(a) - weight(b) || a.worldY - b.worldY);
}

/** Where the unit square lies on what the point is measured on. */
export interface Projection {
  scale: number;
  left: number;
  top: number;
}

/** How far a marker's body is from a point, px. */
function distanceOf(
  { marker, worldX, worldY }: PlacedMarker,
  point: { x: number; y: number },
  { scale, left, top }: Projection,
): number {
  const apart = worldX * scale + left - point.x;
  // On whichever side of the date line it is nearer.
  const dx = apart - Math.round(apart / scale) * scale;
  return Math.hypot(dx, worldY * scale + top - BODY_UP_PX[marker.shape] - point.y);
}

/** Bodies that are this near to a point all lie under it, px: none can be pointed at alone. */
const UNDER_POINT_PX = 9;

/** What a tap may mean: the nearest marker, or by name all of which none can be told from the others there. */
export function hitMarkers(
  placed: readonly PlacedMarker[],
  point: { x: number; y: number },
  projection: Projection,
): MapMarker[] {
  const nearest = hitMarker(placed, point, projection);
  if (!nearest || nearest.isFaint) return nearest ? [nearest] : [];
  const under = placed.filter(
    (one) => !one.marker.isFaint && distanceOf(one, point, projection) <= UNDER_POINT_PX,
  );
  if (under.length < 2) return [nearest];
  return under.map(({ marker }) => marker).sort((a, b) => compareNatural(a.name, b.name));
}

/** The marker whose body is nearest to a point within a finger's reach, px. Faint ones give way to others. */
export function hitMarker(
  placed: readonly PlacedMarker[],
  point: { x: number; y: number },
  projection: Projection,
): MapMarker | null {
  let nearest: MapMarker | null = null;
  let best = TOUCH_RADIUS_PX;
  for (const one of placed) {
    const { marker } = one;
    const distance = distanceOf(one, point, projection);
    if (distance > best || (marker.isFaint && nearest && !nearest.isFaint)) continue;
    best = distance;
    nearest = marker;
  }
  return nearest;
}

/** How far apart sprinklers stand on the unit square, as if they filled the box around them evenly, or stood in one line. */
export function spacingOf(placed: readonly PlacedMarker[]): number {
  const units = placed.filter(({ marker }) => marker.shape === 'sprinkler');
  if (units.length < 2) return 1;
  let [west, east, north, south] = [1, 0, 1, 0];
  for (const { worldX, worldY } of units) {
    west = Math.min(west, worldX);
    east = Math.max(east, worldX);
    north = Math.min(north, worldY);
    south = Math.max(south, worldY);
  }
  const [width, height] = [east - west, south - north];
  return Math.max(Math.sqrt((width * height) / units.length), Math.max(width, height) / (units.length - 1));
}

/** A sprinkler's picture is 25 px wide. Where they stand closer it is smaller, in steps, so that each can be told from the next. */
const SIZES = [0.36, 0.5, 0.7, 1] as const;
const PICTURE_PX = 25;

export function unitSize(spacingPx: number): number {
  const most = spacingPx / PICTURE_PX;
  return SIZES.findLast((size) => size <= most) ?? SIZES[0];
}
