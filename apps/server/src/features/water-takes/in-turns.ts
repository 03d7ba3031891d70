import { setImmediate as breathe } from 'node:timers/promises';

/** Nobody else's call waits longer for work that is done in turns. */
const TURN_MS = 15;
/** How many are made between two looks at the clock. */
const LOOK = 64;

/** All of them, made a few at a time: what else the server has to do comes in between. */
export async function inTurns<T>(items: Iterable<T>): Promise<T[]> {
  const found: T[] = [];
  let began = performance.now();
  for (const item of items) {
    found.push(item);
    if (found.length % LOOK !== 0 || performance.now() - began < TURN_MS) continue;
    await breathe();
    began = performance.now();
  }
  return found;
}
