import type { Api } from '@headrace/contract/api';
import { numberText } from '../../ui/format.ts';

const units = (count: number) => `${numberText(count)} ${count === 1 ? 'sprinkler' : 'sprinklers'}`;

/** What taking it back came to: it may have gone out to some already, and others are inhibited otherwise. */
export function undoneText({
  cancelled,
  uninhibited,
  asBefore,
  stayInhibited,
}: Api['POST /commands/undo']['reply']): string {
  const others = asBefore - stayInhibited;
  const parts = [
    cancelled > 0 && `it was not sent to ${units(cancelled)}`,
    uninhibited > 0 && `Uninhibit was sent to ${units(uninhibited)}`,
    stayInhibited > 0 &&
      `${units(stayInhibited)} ${stayInhibited === 1 ? 'stays' : 'stay'} inhibited, by another Inhibit, a paddock hold or ${stayInhibited === 1 ? 'its' : 'their'} own word`,
    others > 0 && `${units(others)} ${others === 1 ? 'was' : 'were'} not inhibited by it any more: as before`,
  ].filter((part) => part !== false);
  return `Undone: ${parts.join('; ')}.`;
}
