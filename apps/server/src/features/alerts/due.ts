import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';

/** What is known of a rule between two looks. Times in epoch ms. */
export interface Waiting {
  /** Undefined: it was not looked at yet. */
  readonly lookedAt: number | undefined;
  /** The newest hold of it that is over; undefined: none is. */
  readonly holdOver: number | undefined;
  /** Its farm's devices have spoken since. */
  readonly isHeard: boolean;
}

/**
 * Whether an alert is looked at now. A hold that was over at the last look, and could not be judged since its device is silent, waits
 * for a word or for the rhythm of its kind.
 */
export function isDue(kind: AlertKind, { lookedAt, holdOver, isHeard }: Waiting, now: number): boolean {
  const { everyS, isQuick } = alertKindInfo[kind];
  if (lookedAt === undefined || Math.abs(now - lookedAt) >= everyS * 1000) return true;
  return (holdOver !== undefined && holdOver > lookedAt) || (isQuick && isHeard);
}
