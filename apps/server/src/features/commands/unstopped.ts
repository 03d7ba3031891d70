import type { Unstopped } from '@headrace/contract/commands';
import { commandTypes } from '@headrace/contract/command-types';
import type { UnitFacts } from './unit-facts.ts';

/** A failed Off says nothing of the valve: most that don't answer are shut, and one that is open is what a person must know of. */
export const asksForUnstopped = ({ type }: { type: number }, failed: number): boolean =>
  type === commandTypes.TurnGroupValvesOff && failed > 0;

/** How those that an Off failed for stood by their own word. */
export function unstoppedOf(failed: readonly UnitFacts[]): Unstopped {
  const counts = { saidOpen: 0, mayBeOpen: 0, saidClosed: 0, notKnown: 0, shelved: 0 };
  for (const unit of failed) {
    const kind = kindOf(unit);
    counts[kind] += 1;
    if (kind === 'notKnown' && unit.isShelved) counts.shelved += 1;
  }
  return counts;
}

function kindOf({ isOpen, mayOpen }: UnitFacts): Exclude<keyof Unstopped, 'shelved'> {
  if (isOpen) return 'saidOpen';
  if (mayOpen) return 'mayBeOpen';
  return isOpen === false ? 'saidClosed' : 'notKnown';
}
