import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import { laneOf, lanes } from '@headrace/device/lanes';
import type { NewUnit } from './commands.repo.ts';
import type { HeardFacts, LastHeard } from './unit-facts.ts';

const DAY_MS = 86_400_000;

/** Of a stop also whether it may be open. */
type Heard = LastHeard & Partial<HeardFacts>;

/**
 * In which order a command reaches several units. A stop goes first to those that say that they are open, then to those that may
 * be, then to those that nobody has heard, then to those that say that they are closed, and last to those that may lie on a shelf:
 * nobody is left out, since a word may be older than the valve. A send goes first to those that were heard within a day: the others keep the radio busy for long.
 */
export function inOrder(
  name: CommandName,
  units: readonly NewUnit[],
  facts: ReadonlyMap<number, Heard>,
  now: Date,
): NewUnit[] {
  const lane = laneOf(commandTypes[name]);
  const rank = (unit: NewUnit) => {
    const known = facts.get(unit.deviceId);
    return lane === lanes.stop ? stopRank(unit, known, now) : lane === lanes.many ? sendRank(known, now) : 0;
  };
  return units.toSorted((a, b) => rank(a) - rank(b));
}

function stopRank({ isOnShelf }: NewUnit, facts: Heard | undefined, now: Date): number {
  if (facts?.isOpen) return 0;
  if (facts?.mayOpen) return 1;
  if (facts && wasHeard(facts, now)) return 3;
  return isOnShelf ? 4 : 2;
}

const sendRank = (facts: Heard | undefined, now: Date) => (facts && wasHeard(facts, now) ? 0 : 1);

const wasHeard = ({ heardAt }: LastHeard, now: Date) =>
  heardAt !== null && now.getTime() - heardAt.getTime() <= DAY_MS;
