/** Where a unit stands in the list that the dialog was opened from. */
export interface Place {
  /** From 1; null: it isn't in the list (any more). */
  readonly at: number | null;
  readonly of: number;
  /** Those to go on to; null at the list's ends. */
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * The place of `id` among `list`. One that has left the list is between those that it was between: `lastAt` is where it last stood,
 * from 1; null: it never was in it.
 */
export function placeIn(list: readonly string[], id: string, lastAt: number | null): Place {
  const index = list.indexOf(id);
  const of = list.length;
  if (index !== -1)
    return { at: index + 1, of, previous: list[index - 1] ?? null, next: list[index + 1] ?? null };
  if (lastAt === null) return { at: null, of, previous: null, next: null };
  const gap = Math.min(lastAt - 1, of);
  return { at: null, of, previous: list[gap - 1] ?? null, next: list[gap] ?? null };
}
