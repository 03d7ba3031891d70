import { counterDelta } from '@headrace/contract/rules/counter';

/** How far a valid reading is below or above the valid one before it. A counter has no falls, only what it counted since. */
export function stepBetween(
  before: number | null,
  value: number,
  { isCounter, wrapAt = null }: { isCounter: boolean; wrapAt?: number | null },
): { fall: number; rise: number } {
  if (before === null) return { fall: 0, rise: 0 };
  if (isCounter) return { fall: 0, rise: counterDelta(before, value, { wrapAt }) };
  return { fall: Math.max(0, before - value), rise: Math.max(0, value - before) };
}
