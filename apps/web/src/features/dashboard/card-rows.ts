import type { CardType } from '@headrace/contract/default-settings';

/** Kinds of card that take a row of their own on wide screens; of the others two stand beside each other. */
const wholeRow: ReadonlySet<CardType> = new Set(['Headline', 'IPCStatus', 'SoilMoisture', 'Tank']);

const isHalf = (type: CardType) => !wholeRow.has(type);

/**
 * The rows of a dashboard, in the order chosen. A half whose neighbour takes a whole row moves on behind it, to the next
 * half; so there is no hole where two halves could pair. The last of an odd number of halves has a row to itself.
 */
export function rowsOf<Card extends CardType>(cards: readonly Card[]): Card[][] {
  const rows: Card[][] = [];
  let waiting = [...cards];
  while (waiting[0] !== undefined) {
    const [first, ...others] = waiting;
    const next = isHalf(first) ? others.findIndex(isHalf) : -1;
    if (next === -1) {
      rows.push([first]);
      waiting = others;
      continue;
    }
    const partner = others.splice(next, 1);
    rows.push(...others.splice(0, next).map((whole) => [whole]), [first, ...partner]);
    waiting = others;
  }
  return rows;
}
