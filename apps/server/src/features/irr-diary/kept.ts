interface Held<Value> {
  readonly value: Value;
  readonly size: number;
}

/** Values in memory by key, up to a total size; whatever was not asked for longest goes first. */
export function createKept<Value>(most: number) {
  const held = new Map<string, Held<Value>>();
  let total = 0;

  function drop(key: string): Held<Value> | undefined {
    const found = held.get(key);
    if (found) total -= found.size;
    held.delete(key);
    return found;
  }

  function put(key: string, one: Held<Value>): void {
    held.set(key, one);
    total += one.size;
  }

  return {
    get(key: string): Value | undefined {
      const found = drop(key);
      if (found) put(key, found);
      return found?.value;
    },

    set(key: string, value: Value, size: number): void {
      drop(key);
      for (const [oldest] of held) if (total + size > most) drop(oldest);
      if (size <= most) put(key, { value, size });
    },
  };
}
