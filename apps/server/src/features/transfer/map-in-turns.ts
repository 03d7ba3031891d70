import { setImmediate as breathe } from 'node:timers/promises';

/** How long one goes on while others wait, ms. */
const TURN_MS = 10;

/** Each of many items by turns: between them others are served. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > TURN_MS) {
      await breathe();
      begun = performance.now();
    }
    results.push(map(item));
  }
  return results;
}
