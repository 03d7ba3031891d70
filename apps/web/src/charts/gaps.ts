/** A point of a line: epoch ms and value; null where nothing was measured. */
export type Point = [at: number, value: number | null];

/** A step this many times the usual one is a gap. */
export const GAP_FACTOR = 2.5;

/** The usual time between points, ms; 0 when there are fewer than two. */
export function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? 0;
}

/**
 * Breaks a line where points are missing, so that nothing is drawn across. Points in order of time; a silence of up to
 * `quietMs` is no gap, whatever the usual step.
 */
export function withGaps(points: readonly Point[], quietMs = 0): Point[] {
  const step = usualStep(points.map(([at]) => at));
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const isGap =
      before !== undefined && step > 0 && point[0] - before[0] > Math.max(step * GAP_FACTOR, quietMs);
    return isGap ? [[before[0] + step, null] as Point, point] : [point];
  });
}

/**
 * Measured points as one line, and guessed ones as another that starts and ends on the measured points beside it.
 */
export function splitGenerated(points: readonly { at: number; value: number | null; generated: boolean }[]): {
  measured: Point[];
  generated: Point[];
} {
  const all = withGaps(points.map(({ at, value }) => [at, value]));
  const guessed = new Set(points.filter((point) => point.generated).map(({ at }) => at));
  const isGuessed = (point: Point | undefined) => point !== undefined && guessed.has(point[0]);
  const measured = all.map(([at, value]): Point => [at, guessed.has(at) ? null : value]);
  const generated = all.map((point, index): Point => {
    const isShown = isGuessed(point) || isGuessed(all[index - 1]) || isGuessed(all[index + 1]);
    return [point[0], isShown ? point[1] : null];
  });
  return { measured, generated: guessed.size > 0 ? generated : [] };
}
