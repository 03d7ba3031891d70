/** Items by a key of theirs, in the order in which the keys come first. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => number | string | null): T[][] {
  const groups = new Map<number | string | null, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
