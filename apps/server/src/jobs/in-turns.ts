import { eachPiece, type Pieces } from '@headrace/contract/rules/pieces';
import { setImmediate as immediately } from 'node:timers/promises';

/** How long one goes on while others wait, ms. */
const TURN_MS = 4;

/** Others have their turn. */
export const breathe = (): Promise<void> => immediately();

/** Work in pieces, by turns: between them others are served. */
export async function doInTurns<Result>(work: Pieces<Result>): Promise<Result> {
  let begun = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - begun > TURN_MS) {
      await breathe();
      begun = performance.now();
    }
  }
}

/** All that it gives, by turns. */
export const inTurns = <Result>(results: Iterable<Result>): Promise<Result[]> =>
  doInTurns(eachPiece(results));

/** Each of many items by turns. */
export const mapInTurns = <Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> => inTurns(mapped(items, map));

function* mapped<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield map(item);
}
