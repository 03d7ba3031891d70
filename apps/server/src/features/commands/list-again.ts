/** A sending of the gateway's newest list that came to an end. `at` in epoch ms. */
export interface ListSending {
  readonly state: string;
  readonly at: number;
}

/** What is known of a gateway that doesn't hold its newest list. Times in epoch ms; null: never. */
export interface ListBehind {
  /** Newest first. */
  readonly sendings: readonly ListSending[];
  readonly helloAt: number | null;
  readonly statusAt: number | null;
}

const MINUTE_MS = 60_000;
/** Between one sending's end and the next, by how many there were in two hours, minutes. */
const WAITS = [1, 2, 5, 10, 15];
const COUNTED_MS = 120 * MINUTE_MS;
/** A word of the gateway's is answered at once this often within a while: one that starts over and over isn't flooded. */
const AT_ONCE = 3;
const AT_ONCE_WITHIN_MS = 15 * MINUTE_MS;

/**
 * Whether a list that was sent before goes again, at `now` (epoch ms): at once when the gateway has started anew since, or
 * spoke after it had left the last sending unanswered; else after some minutes, more with each that failed.
 */
export function isListDueAgain({ sendings, helloAt, statusAt }: ListBehind, now: number): boolean {
  const [last] = sendings;
  if (!last) return true;
  const within = (ms: number) => sendings.filter(({ at }) => now - at < ms).length;
  const word = Math.max(helloAt ?? 0, last.state === 'failed' ? 0 : (statusAt ?? 0));
  if (word > last.at && within(AT_ONCE_WITHIN_MS) < AT_ONCE) return true;
  const wait = WAITS[Math.min(Math.max(within(COUNTED_MS), 1), WAITS.length) - 1] ?? 0;
  return Math.abs(now - last.at) >= wait * MINUTE_MS;
}
