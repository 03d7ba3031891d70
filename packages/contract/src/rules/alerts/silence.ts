/** When nobody could be heard: our server, its broker or its database was away. Epoch ms. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export interface Silence {
  /** Its last word, epoch ms. */
  readonly since: number;
  readonly limitMs: number;
  /** After a gap it gets at least so long to be heard; no longer than its limit. */
  readonly againMs: number;
}

/** Shorter ones are no outage, ms. */
export const GAP_LEAST_MS = 3 * 60_000;

/**
 * Whether a device is silent for longer than it may be. What it may have said while nobody listened is not held against it: time in
 * gaps doesn't count, and after each it has time to be heard again.
 */
export function isSilent({ since, limitMs, againMs }: Silence, gaps: readonly Gap[], now: number): boolean {
  const within = gaps.filter(({ from, to }) => to > since && from < now);
  const unheard = within.reduce((sum, { from, to }) => sum + Math.min(to, now) - Math.max(from, since), 0);
  const lastEnd = Math.max(Number.NEGATIVE_INFINITY, ...within.map(({ to }) => to));
  return now - since - unheard > limitMs && now >= lastEnd + Math.min(limitMs, againMs);
}
