/**
 * A thread that asks a server for something small again and again: it says when it is warm, and once it is told to stop how long each call
 * since then took, ms.
 */
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { timed } from './numbers.ts';

const PAUSE_MS = 5;
/** A thread's first calls load what they need. */
const WARM_UP = 20;
const CALLS_AN_ADDRESS = 1000;
const { url, firstAddress } = workerData as { url: string; firstAddress: number };

/** An address is refused what it asks too often in a minute: each is asked from for some seconds. */
const addressOf = (call: number) => `127.0.0.${firstAddress + Math.floor(call / CALLS_AN_ADDRESS)}`;

const ask = (call: number): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${url}/healthz`, { localAddress: addressOf(call) }, (reply) => {
      reply.resume();
      if (reply.statusCode === 200) reply.once('end', resolve);
      else reject(new Error(`${url}: ${reply.statusCode}`));
    }).once('error', reject);
  });

const over = new AbortController();
parentPort?.once('message', () => over.abort());
const say = (said: 'warm' | number[]) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(said);
const times: number[] = [];
for (let call = 0; !over.signal.aborted; call += 1) {
  const took = await timed(() => ask(call));
  if (call >= WARM_UP) times.push(took);
  else if (call === WARM_UP - 1) say('warm');
  await pause(PAUSE_MS);
}
say(times);
