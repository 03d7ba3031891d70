/** Where running totals begin anew when the device doesn't say: registers of 16, 24 and 32 bits. */
export const COUNTER_REGISTERS = [2 ** 16, 2 ** 24, 2 ** 32] as const;
/** Taken for a rollover is at most this much between two readings: a 16th of the register, and never more than 65,536. */
const GUESS = { share: 16, most: 65_536 } as const;

/** How a running total came from one reading to the next: only what was counted or ran over is all that flowed. */
export interface CounterStep {
  readonly gained: number;
  readonly how: 'counted' | 'rolledOver' | 'restarted' | 'corrected';
}

/**
 * What a running total gained from one reading to the next, never negative. A total that comes back smaller has
 * - rolled over, when `wrapAt` is known and the way over it is at most half of it (a restart would show a longer way), or when
 *   it isn't known and the total stood just below a register's end and is just above zero now;
 * - restarted, when it is below half of what it was: what it shows was counted since, and nothing where that is below zero;
 * - been corrected otherwise: nothing was counted.
 */
export function counterStep(
  previous: number,
  next: number,
  { wrapAt = null }: { wrapAt?: number | null } = {},
): CounterStep {
  if (next >= previous) return { gained: next - previous, how: 'counted' };
  const over = rollover(previous, next, wrapAt);
  if (over !== null) return { gained: over, how: 'rolledOver' };
  return next < previous / 2
    ? { gained: Math.max(0, next), how: 'restarted' }
    : { gained: 0, how: 'corrected' };
}

/** The amount alone. */
export const counterDelta = (previous: number, next: number, options?: { wrapAt?: number | null }): number =>
  counterStep(previous, next, options).gained;

function rollover(previous: number, next: number, wrapAt: number | null): number | null {
  const ends = wrapAt === null ? COUNTER_REGISTERS : [wrapAt];
  const end = ends.find((end) => previous < end && end - previous + next <= longestWay(end, wrapAt !== null));
  return end === undefined ? null : end - previous + next;
}

/** The longest way over an end that still counts as a rollover. */
export function longestWay(end: number, isKnown: boolean): number {
  return isKnown ? end / 2 : Math.min(end / GUESS.share, GUESS.most);
}
