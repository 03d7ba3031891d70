import { FUTURE_TOLERANCE_MS } from '@headrace/contract/limits';

/** What one sender says of our clock. */
export interface ClockReport {
  /** Null: the database. */
  readonly farmId: number | null;
  /** How far its time is ahead of ours, ms; what was taken a while before it was sent is behind. */
  readonly aheadMs: number;
}

/** Our clock is behind. */
export interface ClockDoubt {
  /** By about so much, ms. */
  readonly byMs: number;
  /** Gateways and network servers that say so, and their farms. */
  readonly senders: number;
  readonly farms: number;
  /** The database, too. */
  readonly database: boolean;
}

/** Times of readings are as old as their way to us: two right clocks may differ by this, or by a tenth of what we are off. */
const ALIKE_MS = 3_600_000;
const ALIKE_SHARE = 0.1;

/**
 * Whether these reports show that our own clock is behind. That takes at least two senders that agree with each other, and more farms
 * (the database counts as one) that say so than farms that say our clock is right. If it is one gateway, its own clock is wrong. Late
 * reports, and clocks behind ours, prove nothing.
 */
export function clockDoubt(reports: readonly ClockReport[]): ClockDoubt | null {
  const ahead = reports.filter(({ aheadMs }) => aheadMs > FUTURE_TOLERANCE_MS);
  if (ahead.length < 2) return null;
  const byMs = median(ahead.map(({ aheadMs }) => aheadMs));
  const near = Math.max(ALIKE_MS, byMs * ALIKE_SHARE);
  const agreeing = ahead.filter(({ aheadMs }) => Math.abs(aheadMs - byMs) <= near);
  if (agreeing.length < 2) return null;
  const right = reports.filter(({ aheadMs }) => Math.abs(aheadMs) <= FUTURE_TOLERANCE_MS);
  const farmsOf = (some: readonly ClockReport[]) => new Set(some.map(({ farmId }) => farmId));
  const votes = [...farmsOf([...agreeing, ...right])].map((farmId) => {
    const of = (some: readonly ClockReport[]) => some.filter((report) => report.farmId === farmId).length;
    return Math.sign(of(agreeing) - of(right));
  });
  if (votes.reduce((sum, vote) => sum + vote, 0) <= 0) return null;
  const senders = agreeing.filter(({ farmId }) => farmId !== null);
  return {
    byMs,
    senders: senders.length,
    farms: farmsOf(senders).size,
    database: senders.length < agreeing.length,
  };
}

/** Our clock is ahead, or all of these send what is as old. */
export interface ClockLead {
  readonly byMs: number;
  readonly senders: number;
  readonly farms: number;
}

/** So that no one or two farms can say it. */
const LEAD_FARMS = 3;

/**
 * Whether these words show that our own clock is ahead: what is behind us is usually late, so it takes the newest words of at least
 * three farms that are behind by the same, and more farms that say so than say anything else. The database isn't asked: on our own
 * machine it has our own clock.
 */
export function clockLead(reports: readonly ClockReport[]): ClockLead | null {
  const heard = reports.filter(({ farmId }) => farmId !== null);
  const behind = heard.filter(({ aheadMs }) => aheadMs < -FUTURE_TOLERANCE_MS);
  const byMs = -median(behind.map(({ aheadMs }) => aheadMs));
  const near = Math.max(FUTURE_TOLERANCE_MS, byMs * ALIKE_SHARE);
  const isAgreeing = ({ aheadMs }: ClockReport) =>
    aheadMs < -FUTURE_TOLERANCE_MS && Math.abs(-aheadMs - byMs) <= near;
  const agreeing = heard.filter(isAgreeing);
  const votes = new Map<number | null, number>();
  for (const report of heard)
    votes.set(report.farmId, (votes.get(report.farmId) ?? 0) + (isAgreeing(report) ? 1 : -1));
  const farms = [...votes.values()].filter((vote) => vote > 0).length;
  return farms >= LEAD_FARMS && 2 * farms > votes.size ? { byMs, senders: agreeing.length, farms } : null;
}

/** How far ahead of our clock a time may be to be explained by this doubt, ms. */
export function explainedMs({ byMs }: ClockDoubt): number {
  return byMs + Math.max(ALIKE_MS, byMs * ALIKE_SHARE) + FUTURE_TOLERANCE_MS;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
