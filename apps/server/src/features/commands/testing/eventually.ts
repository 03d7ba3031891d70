import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, 10 s at most, until `found` has something to say. */
export async function eventually<T>(
  found: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const value = await found();
    if (value !== undefined && value !== false) return value;
    await sleep(10);
  }
  throw new Error('it never came');
}

/** What is under way and has no end to wait for gets this long. */
export const pause = () => sleep(80);
