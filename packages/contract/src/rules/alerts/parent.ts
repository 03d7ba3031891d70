import { fellSilentWith } from '../behind-gateways.ts';

/** A return that nobody was told of: so long devices behind it have to be heard, ms. */
const SHORT_GRACE_MS = 10 * 60_000;
const GRACE_LEAST_MS = 30 * 60_000;
const GRACE_MOST_MS = 3 * 3_600_000;
const MINUTE_MS = 60_000;

/** What speaks for other devices: a gateway, a network server, a repeater. Times in epoch ms. */
export interface Parent {
  /** Since when nobody hears it; null: it is there. */
  readonly awaySince: number | null;
  /** Its newest word, and after how long without one it is away; 0 where its connection says so at once. */
  readonly heardAt: number | null;
  readonly limitMs: number;
  /** Its last return, and for how long it was away before. */
  readonly back: { readonly at: number; readonly awayMs: number; readonly graceMs: number } | null;
}

/** One that is beyond its limit. */
export interface SilentChild {
  readonly heardAt: number;
  readonly limitMs: number;
}

/**
 * Whose silence it is when a device is silent: its own, its parent's, or not known yet: the parent may be away as well, or has just
 * come back. What was silent for too long before its parent went is so by itself.
 */
export function whoseSilence(
  { heardAt, limitMs }: SilentChild,
  { awaySince, heardAt: parentAt, limitMs: parentMs, back }: Parent,
  now: number,
): 'own' | 'parent' | 'unsure' {
  if (awaySince !== null) return fellSilentWith(heardAt, awaySince, limitMs) ? 'parent' : 'own';
  const isAsOld = parentMs > 0 && parentAt !== null && fellSilentWith(heardAt, parentAt, limitMs);
  if (isAsOld && now <= parentAt + parentMs + MINUTE_MS) return 'unsure';
  if (back === null || heardAt >= back.at || now >= back.at + back.graceMs) return 'own';
  return now - heardAt - back.awayMs <= limitMs + back.graceMs ? 'unsure' : 'own';
}

/** After an outage that was told: the larger of half an hour and two intervals of what reports least often, ms; never hours. */
export const graceMs = (intervalsMs: readonly number[]): number =>
  Math.min(GRACE_MOST_MS, Math.max(GRACE_LEAST_MS, 2 * Math.max(0, ...intervalsMs)));

/** A return of which nobody was told that it was away. */
export const shortReturn = (at: number, awayMs: number): NonNullable<Parent['back']> => ({
  at,
  awayMs,
  graceMs: SHORT_GRACE_MS,
});
