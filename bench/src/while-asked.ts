import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { timed } from './numbers.ts';
import type { Stand } from './stand.ts';

const PAUSE_MS = 5;

/** How long each small call took while the work went on, ms. */
export async function whileAsked({ url }: Stand, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      times.push(await timed(() => ask(`${url}/healthz`)));
      await pause(PAUSE_MS);
    }
  })();
  await work();
  over.abort();
  await asking;
  return times;
}

const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, (reply) => {
      reply.resume();
      reply.once('end', resolve);
    }).once('error', reject);
  });
