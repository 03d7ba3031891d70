const byName = new Intl.Collator('en', { sensitivity: 'accent' });

/** By name without regard to case; equal names keep one order. */
export const sortedByName = <T extends { name: string; uid: string }>(devices: readonly T[]): T[] =>
  devices.toSorted((a, b) => byName.compare(a.name, b.name) || (a.uid < b.uid ? -1 : 1));
