import type { Api } from '@headrace/contract/api';
import { numberText } from '../../ui/format.ts';

const units = (count: number) => `${numberText(count)} ${count === 1 ? 'sprinkler' : 'sprinklers'}`;

const awayText = (count: number) =>
  `Uninhibit waits for ${units(count)} whose gateway is away: if it is not back within minutes, ${
    count === 1 ? 'that one stays' : 'those stay'
  } inhibited, and Commands says so`;

/** What taking it back came to: it may have gone out to some already, and others are inhibited otherwise. */
export function undoneText({
  cancelled,
  uninhibited,
  away,
  asBefore,
  stayInhibited,
}: Api['POST /commands/undo']['reply']): string {
  const others = asBefore - stayInhibited;
  const parts = [
    cancelled > 0 && `it was not sent to ${units(cancelled)}`,
    uninhibited > away && `Uninhibit was sent to ${units(uninhibited - away)}`,
    away > 0 && awayText(away),
    stayInhibited > 0 &&
      `${units(stayInhibited)} ${stayInhibited === 1 ? 'stays' : 'stay'} inhibited, by another Inhibit, a paddock hold or ${stayInhibited === 1 ? 'its' : 'their'} own word`,
    others > 0 && `${units(others)} ${others === 1 ? 'was' : 'were'} not inhibited by it any more: as before`,
  ].filter((part) => part !== false);
  return `Undone: ${parts.join('; ')}.`;
}
