/** What was taken of what may be, m³. */
export interface TakeUse {
  readonly used: number;
  readonly most: number;
  /** Negative: so much more was taken. */
  readonly left: number;
  /** Until it is used at that rate, ms; null: nothing is taken, or none is left. */
  readonly lastsMs: number | null;
}

/** `taken` in `overMs` is the rate of now; null: it isn't known. */
export function useOf(
  used: number,
  most: number,
  rate: { readonly taken: number; readonly overMs: number } | null,
): TakeUse {
  const left = most - used;
  const lastsMs = rate && rate.taken > 0 && left > 0 ? (left / rate.taken) * rate.overMs : null;
  return { used, most, left, lastsMs };
}
