import { mapInTurns } from './jobs/in-turns.ts';

interface Kept<From, To> {
  readonly from: readonly From[];
  readonly with: readonly unknown[];
  readonly to: readonly To[];
}

/**
 * What is made of the members of lists of thousands: made anew only where a member is another object than at its place before, or for all
 * once something else that it is made of (`rest`) is another. Nothing otherwise: the same list. Looking at two lists side by side takes
 * a hundredth of looking into each member. What is made anew is made by turns: it may be all of it. Kept as long as `owner` is.
 */
export function createKeptLists<From, To>() {
  const lists = new WeakMap<object, Kept<From, To>>();
  return async (
    owner: object,
    from: readonly From[],
    rest: readonly unknown[],
    make: (one: From) => To,
  ): Promise<readonly To[]> => {
    const before = lists.get(owner);
    const known = before && isSame(before.with, rest) ? before : null;
    if (known?.from === from) return known.to;
    const to = await othersInTurns(from, known, make);
    lists.set(owner, { from, with: rest, to });
    return to;
  };
}

/** As `before` has it wherever the member is the same object at its place; the others made, by turns. */
export async function othersInTurns<From, To>(
  from: readonly From[],
  before: { readonly from: readonly From[]; readonly to: readonly To[] } | null,
  make: (one: From) => To,
): Promise<To[]> {
  const to = before ? before.to.slice(0, from.length) : [];
  const others = [...from.keys()].filter((at) => !before || before.from[at] !== from[at]);
  await mapInTurns(others, (at) => (to[at] = make(from[at] as From)));
  return to;
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((member, at) => member === other[at]);
