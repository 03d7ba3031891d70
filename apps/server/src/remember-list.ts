/** Lists of this many keys are kept; the one that was asked for longest ago is forgotten first. */
const KEPT = 16;

interface Known<From, Shared, To> {
  readonly from: readonly From[];
  readonly shared: Shared;
  readonly to: readonly To[];
}

/**
 * As `map`, for a list of thousands that is asked for again and again: what is the same object at the same place as in the call
 * before with this key is not even looked at, as long as what all share is the same.
 */
export function rememberList<From, Shared, To>(
  make: (from: From, shared: Shared) => To,
  isSame: (one: Shared, other: Shared) => boolean,
): (key: number, list: readonly From[], shared: Shared) => readonly To[] {
  const known = new Map<number, Known<From, Shared, To>>();
  return (key, list, shared) => {
    const before = known.get(key);
    const same = before && isSame(before.shared, shared) ? before : null;
    const to = list.map((from, nth) =>
      from === same?.from[nth] ? (same.to[nth] as To) : make(from, shared),
    );
    known.delete(key);
    known.set(key, { from: list, shared, to });
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return to;
  };
}
