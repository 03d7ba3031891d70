/** Items by a key of theirs, in their order. */
export function byKey<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const found = new Map<K, T[]>();
  for (const item of items) {
    const list = found.get(keyOf(item));
    if (list) list.push(item);
    else found.set(keyOf(item), [item]);
  }
  return found;
}

/** Rows of each device, in their order. */
export function byDevice<R extends { readonly deviceId: number }>(
  rows: readonly R[],
): (deviceId: number) => readonly R[] {
  const found = byKey(rows, ({ deviceId }) => deviceId);
  return (deviceId) => found.get(deviceId) ?? [];
}
