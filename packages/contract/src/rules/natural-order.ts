const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' });

/**
 * Names as people count them: A2 before A10, upper and lower case alike. Names that only differ in case or leading zeros
 * have an order too, so that a list never shuffles.
 */
export function compareNatural(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other));
}

/** By name; equal names by id. */
export function inNaturalOrder<T extends { readonly name: string; readonly id: string | number }>(
  items: readonly T[],
): T[] {
  return items.toSorted(
    (one, other) =>
      compareNatural(one.name, other.name) || (one.id < other.id ? -1 : Number(one.id > other.id)),
  );
}
