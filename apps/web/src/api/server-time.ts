/**
 * The server's time: a phone with a wrong clock would show wrong ages. Differences under SLACK_MS are the
 * second's rounding and the trip, not a wrong clock.
 */
const SLACK_MS = 5000;
let offset = 0;

/** Learn from an answer's Date header. */
export function learnTime(date: string | null, now = Date.now()): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  offset = Math.abs(at - now) > SLACK_MS ? at - now : 0;
}

export const serverNow = (): number => Date.now() + offset;
