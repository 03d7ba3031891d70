/** The middle one, or the mean of the middle two; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Standard deviation as the mean distance from the median shows it: one value far off counts once, not squared. 0 of none. */
export function deviationFrom(middle: number, values: readonly number[]): number {
  if (values.length === 0) return 0;
  const distances = values.reduce((sum, value) => sum + Math.abs(value - middle), 0);
  // The square root of pi/2: by how much the deviation of normally spread values is larger than that distance.
  return (Math.sqrt(Math.PI / 2) * distances) / values.length;
}

/** Student's t that 80 % of the values lie within, by degrees of freedom from 1 on; 1.28 for very many. */
const T80 = [3.078, 1.886, 1.638, 1.533, 1.476, 1.44, 1.415, 1.397, 1.383, 1.372, 1.363, 1.356, 1.35, 1.345];
export const t80 = (freedom: number): number =>
  freedom < 1 ? Number.POSITIVE_INFINITY : (T80[Math.floor(freedom) - 1] ?? 1.3);

export interface Line {
  slope: number;
  /** Standard deviation of the points from the line, and of its slope, as if each point were on its own. */
  deviation: number;
  slopeDeviation: number;
  /** The line goes through this point. */
  meanX: number;
  meanY: number;
}

/** Least squares through at least three points at different x; null of fewer. */
export function lineThrough(points: readonly { x: number; y: number }[]): Line | null {
  const n = points.length;
  if (n < 3) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  const xx = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (xx === 0) return null;
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / xx;
  const squares = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const deviation = Math.sqrt(squares / (n - 2));
  return { slope, deviation, slopeDeviation: deviation / Math.sqrt(xx), meanX, meanY };
}
