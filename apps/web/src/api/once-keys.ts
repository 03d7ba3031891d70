import { randomHex } from './random-hex.ts';

/** A call whose answer was lost is the same call again for this long, ms. */
const KNOWN_MS = 10 * 60_000;

const keys = new Map<string, { key: string; at: number }>();

/**
 * What the server knows a call by that makes something: a second tap, and a new try after an answer that was lost, have the
 * same name, so that one thing is made. The server remembers for a day.
 */
export function onceKey(wanted: string, now = Date.now()): string {
  for (const [other, { at }] of keys) if (now - at > KNOWN_MS) keys.delete(other);
  const known = keys.get(wanted);
  if (known) return known.key;
  const key = randomHex(16);
  keys.set(wanted, { key, at: now });
  return key;
}

/** The server has answered: the same again is meant anew. */
export const settleOnce = (wanted: string): void => void keys.delete(wanted);
