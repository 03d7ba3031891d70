interface Held<Value> {
  readonly value: Value;
  readonly size: number;
}

/** What is empty takes a place as well: without end, nothing would be too much. */
const LEAST = 1;

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

    set(key: string, value: Value, ofValue: number): void {
      const size = Math.max(LEAST, ofValue);
      drop(key);
      for (const [oldest] of held) if (total + size > most) drop(oldest);
      if (size <= most) put(key, { value, size });
    },
  };
}
