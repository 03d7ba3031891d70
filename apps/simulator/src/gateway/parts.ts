type Part = { readonly rev: number; readonly part: number; readonly parts: number };

/** Revisions whose parts are collected at the same time. */
const mostRevs = 8;

/** Collects what comes in parts. Part 1 begins anew. */
export function createParts<T extends Part>() {
  const byRev = new Map<number, Map<number, T>>();

  return {
    /** All parts in order when this was the last one missing. */
    add: (message: T): T[] | null => {
      const { rev, part, parts } = message;
      if (part > parts) return null;
      const got = part === 1 ? new Map<number, T>() : (byRev.get(rev) ?? new Map<number, T>());
      byRev.delete(rev);
      byRev.set(rev, got.set(part, message));
      for (const oldest of byRev.keys()) {
        if (byRev.size <= mostRevs) break;
        byRev.delete(oldest);
      }
      if (got.size < parts) return null;
      byRev.delete(rev);
      return [...got.values()].sort((one, other) => one.part - other.part);
    },
    /** Forgets the parts of revisions up to this one. */
    forget: (rev: number): void => {
      for (const known of byRev.keys()) if (known <= rev) byRev.delete(known);
    },
  };
}
