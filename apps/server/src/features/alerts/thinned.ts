interface Point {
  readonly at: number;
  readonly value: number | null;
}

/** Of more points than a chart can show, the lowest and the highest of each stretch, and where nothing was said. */
export function thinned<P extends Point>(points: readonly P[], most: number): P[] {
  if (points.length <= most) return [...points];
  const size = Math.ceil((points.length * 2) / most);
  const kept: P[] = [];
  for (let start = 0; start < points.length; start += size) {
    const stretch = points.slice(start, start + size);
    const said = stretch.filter(({ value }) => value !== null);
    if (said.length === 0) kept.push(...stretch.slice(0, 1));
    const ends = [lowest(said), highest(said)].flatMap((point) => point ?? []);
    kept.push(...[...new Set(ends)].toSorted((one, other) => one.at - other.at));
  }
  return kept;
}

const lowest = <P extends Point>(points: readonly P[]): P | undefined =>
  points.reduce<P | undefined>(
    (low, point) => (low && (low.value ?? 0) <= (point.value ?? 0) ? low : point),
    undefined,
  );
const highest = <P extends Point>(points: readonly P[]): P | undefined =>
  points.reduce<P | undefined>(
    (high, point) => (high && (high.value ?? 0) >= (point.value ?? 0) ? high : point),
    undefined,
  );
