import type { Ring } from './basemap-data.ts';

/** Part of the unit square, with how many pixels one unit is wide there. */
export interface View {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  scale: number;
}

/** Corners closer than this to the one before are left out, px. */
const MIN_STEP_PX = 0.6;

type Edge = [
  inside: (x: number, y: number) => boolean,
  cut: (ax: number, ay: number, bx: number, by: number) => [number, number],
];

const edgesOf = ({ minX, minY, maxX, maxY }: View): Edge[] => [
  [(x) => x >= minX, (ax, ay, bx, by) => [minX, ay + ((minX - ax) / (bx - ax)) * (by - ay)]],
  [(x) => x <= maxX, (ax, ay, bx, by) => [maxX, ay + ((maxX - ax) / (bx - ax)) * (by - ay)]],
  [(_x, y) => y >= minY, (ax, ay, bx, by) => [ax + ((minY - ay) / (by - ay)) * (bx - ax), minY]],
  [(_x, y) => y <= maxY, (ax, ay, bx, by) => [ax + ((maxY - ay) / (by - ay)) * (bx - ax), maxY]],
];

function clipEdge(points: ArrayLike<number>, [inside, cut]: Edge): number[] {
  const out: number[] = [];
  const count = points.length;
  let ax = points[count - 2] ?? 0;
  let ay = points[count - 1] ?? 0;
  let wasInside = inside(ax, ay);
  for (let i = 0; i < count; i += 2) {
    const x = points[i] ?? 0;
    const y = points[i + 1] ?? 0;
    const isInside = inside(x, y);
    if (isInside !== wasInside) out.push(...cut(ax, ay, x, y));
    if (isInside) out.push(x, y);
    ax = x;
    ay = y;
    wasInside = isInside;
  }
  return out;
}

function thin(points: Float64Array, step: number): number[] {
  const out: number[] = [];
  let lastX = Infinity;
  let lastY = Infinity;
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] ?? 0;
    const y = points[i + 1] ?? 0;
    if (Math.abs(x - lastX) < step && Math.abs(y - lastY) < step) continue;
    out.push(x, y);
    lastX = x;
    lastY = y;
  }
  return out;
}

/** The part of a ring within the view, [x, y, …] on the unit square, without detail below a pixel; empty when none. */
export function clipRing(ring: Ring, view: View): ArrayLike<number> {
  if (ring.maxX < view.minX || ring.minX > view.maxX || ring.maxY < view.minY || ring.minY > view.maxY)
    return [];
  const isWhole =
    ring.minX >= view.minX && ring.maxX <= view.maxX && ring.minY >= view.minY && ring.maxY <= view.maxY;
  let points: ArrayLike<number> = thin(ring.points, MIN_STEP_PX / view.scale);
  if (isWhole) return points;
  for (const edge of edgesOf(view)) points = clipEdge(points, edge);
  return points;
}
