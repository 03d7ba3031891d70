import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every `every` ms until the answer is true; false when `limit` ms went by first. */
export async function waitUntil(
  done: () => boolean | Promise<boolean>,
  limit: number,
  every = 25,
): Promise<boolean> {
  const end = performance.now() + limit;
  while (!(await done())) {
    if (performance.now() > end) return false;
    await sleep(every);
  }
  return true;
}
