/** How long an answer counts, ms. */
const COUNTS_MS = 1000;

/** Asks again once the last answer is a second old: one question a second, however often it is called. */
export function nowAndThen(now: () => Date, ask: () => Promise<boolean>): () => Promise<boolean> {
  let askedAt = now().getTime();
  let last = true;
  return async () => {
    const at = now().getTime();
    // Also where the clock was set back.
    if (Math.abs(at - askedAt) < COUNTS_MS) return last;
    last = await ask();
    askedAt = at;
    return last;
  };
}
