/** Of each item the place (from 1, as in SQL) of what it shares with others, and that once each. */
export function distinct<T>(items: readonly T[], keyOf: (item: T) => string): [places: number[], once: T[]] {
  const known = new Map<string, number>();
  const once: T[] = [];
  const places = items.map((item) => {
    const key = keyOf(item);
    const place = known.get(key) ?? once.push(item);
    known.set(key, place);
    return place;
  });
  return [places, once];
}
