import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { median, percentile, timed } from './numbers.ts';
import type { Stand } from './stand.ts';

/** Calls before the first that counts: connections, compiled code, the database's own memory. */
const WARM_UP = 20;

export async function signIn(stand: Pick<Stand, 'url'>, email: string, password: string): Promise<string> {
  const reply = await fetch(`${stand.url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: randomUUID() },
    body: JSON.stringify({ email, password }),
  });
  return ((await reply.json()) as { token: string }).token;
}

/**
 * Milliseconds of each GET, one after the other, from the request to the last byte, compressed as browsers ask for it;
 * `before` each, which doesn't count.
 */
export async function measureCalls(
  stand: Stand,
  token: string,
  path: (call: number) => string,
  calls: number,
  before: () => Promise<unknown> = async () => {},
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    await before();
    let waitS = 0;
    const ms = await timed(async () => {
      waitS = await read(agent, `${stand.url}/v1${path(call)}`, token);
    });
    if (waitS > 0) {
      await setTimeout(waitS * 1000);
      call -= 1;
    } else if (call >= WARM_UP) times.push(ms);
  }
  agent.destroy();
  return times;
}

/** How many seconds this address has to wait before it may ask that again; 0: it was answered. */
function read(agent: Agent, url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: token, 'accept-encoding': 'gzip' };
    get(url, { agent, headers }, (reply) => {
      reply.resume();
      reply.once('end', () => {
        if (reply.statusCode === 200) resolve(0);
        else if (reply.statusCode === 429) resolve(Number(reply.headers['retry-after']));
        else reject(new Error(`${url}: ${reply.statusCode}`));
      });
    }).once('error', reject);
  });
}

export const callsText = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)} p95 ${percentile(times, 0.95).toFixed(1)} p99 ${percentile(times, 0.99).toFixed(1)} ms`;
