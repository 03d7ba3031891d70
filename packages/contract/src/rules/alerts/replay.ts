import type { AlertClass } from './alert-kinds.ts';
import { dueAt, type Life, type LifeRule, lived, type Seen } from './alert-life.ts';
import { type Limit, sideOf } from './sides.ts';

/** A value as it was said; null: it said none that can be. Epoch ms. */
export interface ReplayPoint {
  readonly at: number;
  readonly value: number | null;
}

export interface ReplayRule {
  readonly limit: Limit;
  /** Holds of one that fired so often within six hours. */
  readonly lifeRule: (recent: number) => LifeRule;
  /** A device that says nothing for so long says nothing of its value, ms. */
  readonly silentMs: number;
  readonly class: AlertClass;
  /** As it comes and goes so often within COMES_AND_GOES_MS it is not told any more. */
  readonly mostNotices: number;
}

/** What would have been told. Epoch ms. */
export interface Replayed {
  readonly since: number;
  readonly firedAt: number;
  /** Null: it is so still. */
  readonly endedAt: number | null;
  readonly peak: number | null;
  /** False: it came and went too often. */
  readonly isNotified: boolean;
}

const COMES_AND_GOES_MS = 6 * 3_600_000;

/** What an alert would have told of a device, by all that the device said, in the order of time. */
export function replay(points: readonly ReplayPoint[], rule: ReplayRule, now: number): Replayed[] {
  const found: Replayed[] = [];
  let life: Life | null = null;
  let last: Seen | null = null;
  /** They fired in the order of time. */
  const recentAt = (at: number) => {
    const last = found.findLastIndex(({ firedAt }) => firedAt <= at - COMES_AND_GOES_MS);
    return found.length - 1 - last;
  };
  const step = (seen: Seen, at: number) => {
    const before: Life | null = life;
    const after = lived(before, seen, rule.lifeRule(recentAt(at)), at);
    if (after.steps.includes('fired') && after.life)
      found.push({
        since: after.life.since,
        firedAt: at,
        endedAt: null,
        peak: after.life.peak,
        isNotified: recentAt(at) < rule.mostNotices,
      });
    const open = found.at(-1);
    if (open && after.life && open.endedAt === null)
      found[found.length - 1] = { ...open, peak: after.life.peak, endedAt: after.endedAt };
    life = after.endedAt === null ? after.life : null;
  };
  /** A hold that was over before the next word, while the device was not silent. */
  const holdsUntil = (until: number) => {
    if (!last || !life) return;
    const due = dueAt(life, rule.lifeRule(recentAt(last.at)));
    const isWaiting = life.state === 'pending' || life.state === 'clearing';
    if (isWaiting && due !== null && due <= until && due <= last.at + rule.silentMs) step(last, due);
  };
  for (const { at, value } of points) {
    holdsUntil(at);
    last = { side: sideOf(rule.limit, value), at, value, class: rule.class };
    // What is no part of anything begins nothing.
    if (life !== null || last.side === 'in') step(last, at);
  }
  holdsUntil(now);
  return found;
}
