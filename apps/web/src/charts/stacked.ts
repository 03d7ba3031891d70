import { GAP_FACTOR, usualStep, type Point } from './gaps.ts';

/** One moment of several series; null where one of them isn't known. */
export interface StackRow {
  at: number;
  values: readonly (number | null)[];
}

/** Several series on one row of times. A point that is late by less than a gap stands on the line between its neighbours. */
export function alignSeries(series: readonly (readonly Point[])[]): StackRow[] {
  const times = [...new Set(series.flatMap((points) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const columns = series.map((points) => valuesAt(points, times));
  return times.map((at, index) => ({ at, values: columns.map((column) => column[index] ?? null) }));
}

function valuesAt(points: readonly Point[], times: readonly number[]): (number | null)[] {
  const longest = usualStep(points.map(([at]) => at)) * GAP_FACTOR;
  let next = 0;
  return times.map((at) => {
    while (next < points.length && (points[next]?.[0] ?? at) < at) next += 1;
    const [before, after] = [points[next - 1], points[next]];
    if (after?.[0] === at) return after[1];
    if (!before || !after || before[1] === null || after[1] === null) return null;
    if (after[0] - before[0] > longest) return null;
    return before[1] + ((after[1] - before[1]) * (at - before[0])) / (after[0] - before[0]);
  });
}

/**
 * The upper edge of each series laid on those before it. Between two moments a series counts where it is known at both:
 * elsewhere it has a gap, and those above it stand lower by a step, not by a slope that nothing measured.
 */
export function stackEdges(rows: readonly StackRow[]): Point[][] {
  const count = rows[0]?.values.length ?? 0;
  const edges: Point[][] = Array.from({ length: count }, () => []);
  const step = usualStep(rows.map(({ at }) => at));
  rows.forEach((row, index) => {
    const next = rows[index + 1];
    if (!next) return;
    const isGap = step > 0 && next.at - row.at > step * GAP_FACTOR;
    let [left, right] = [0, 0];
    edges.forEach((edge, nth) => {
      const [a, b] = [row.values[nth] ?? null, next.values[nth] ?? null];
      if (a === null || b === null || isGap) {
        push(edge, [row.at, null]);
        return;
      }
      left += a;
      right += b;
      push(edge, [row.at, left]);
      push(edge, [next.at, right]);
    });
  });
  return edges;
}

function push(edge: Point[], point: Point): void {
  const last = edge.at(-1);
  if (last?.[1] === point[1] && (last[1] === null || last[0] === point[0])) return;
  edge.push(point);
}

/** The highest sum of what is known at one moment; 0 when nothing is. */
export const stackPeak = (rows: readonly StackRow[]): number =>
  rows.reduce((peak, { values }) => Math.max(peak, sumOf(values)), 0);

const sumOf = (values: readonly (number | null)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Moments that are known beside two that aren't: no line reaches them, so each is drawn as a dot, on the sum beneath it. */
export function loneDots(rows: readonly StackRow[]): Point[][] {
  const count = rows[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, nth) =>
    rows.flatMap(({ at, values }, index): Point[] => {
      const isKnown = (row: StackRow | undefined) => (row?.values[nth] ?? null) !== null;
      if (!isKnown(rows[index]) || isKnown(rows[index - 1]) || isKnown(rows[index + 1])) return [];
      return [[at, sumOf(values.slice(0, nth + 1))]];
    }),
  );
}
