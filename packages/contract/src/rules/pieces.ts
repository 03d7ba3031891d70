/** Work that is done a piece at a time: whoever drives it may serve others between two pieces. */
export type Pieces<Result> = Generator<unknown, Result>;

/** All that is given, each a piece. */
export function* eachPiece<Item>(items: Iterable<Item>): Generator<undefined, Item[]> {
  const all: Item[] = [];
  for (const item of items) {
    all.push(item);
    yield;
  }
  return all;
}

/** What comes of it, by one who serves nobody else. */
export function allPieces<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
