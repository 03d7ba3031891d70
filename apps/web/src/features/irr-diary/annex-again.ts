const LEAST_MS = 4000;
const MOST_MS = 60_000;
/** Of the time, at most the tenth part is spent with being asked. */
const SHARE = 10;

/**
 * After how long the page asks again, ms, while days are being reckoned: each answer reads the whole year, which of a farm of thousands of
 * sprinklers takes seconds. False: all are reckoned.
 */
export const askAgainMs = (toReckon: number, tookMs: number): number | false =>
  toReckon > 0 && Math.min(MOST_MS, Math.max(LEAST_MS, tookMs * SHARE));
