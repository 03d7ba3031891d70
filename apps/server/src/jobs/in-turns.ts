import { setImmediate as immediately } from 'node:timers/promises';

/** How long one goes on while others wait, ms. */
const TURN_MS = 4;

/** Others have their turn. */
export const breathe = (): Promise<void> => immediately();

/** All that it gives, by turns: between them others are served. */
export async function inTurns<Result>(results: Iterable<Result>): Promise<Result[]> {
  const all: Result[] = [];
  let begun = performance.now();
  for (const result of results) {
    all.push(result);
    if (performance.now() - begun > TURN_MS) {
      await breathe();
      begun = performance.now();
    }
  }
  return all;
}

/** Each of many items by turns. */
export const mapInTurns = <Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> => inTurns(mapped(items, map));

function* mapped<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield map(item);
}
