import { median, percentile, timed } from './numbers.ts';
import type { Stand } from './stand.ts';

/** Calls before the first that counts: connections, compiled code, the database's own memory. */
const WARM_UP = 20;

export async function signIn(stand: Stand, email: string, password: string): Promise<string> {
  const reply = await fetch(`${stand.url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: 'bench' },
    body: JSON.stringify({ email, password }),
  });
  return ((await reply.json()) as { token: string }).token;
}

/** Milliseconds of each GET, one after the other, from the request to the parsed answer; `before` each, which doesn't count. */
export async function measureCalls(
  stand: Stand,
  token: string,
  path: (call: number) => string,
  calls: number,
  before: () => Promise<unknown> = async () => {},
): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    await before();
    const ms = await timed(async () => {
      const reply = await fetch(`${stand.url}/v1${path(call)}`, { headers: { authorization: token } });
      if (!reply.ok) throw new Error(`${path(call)}: ${reply.status} ${await reply.text()}`);
      await reply.json();
    });
    if (call >= WARM_UP) times.push(ms);
  }
  return times;
}

export const callsText = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)} p95 ${percentile(times, 0.95).toFixed(1)} p99 ${percentile(times, 0.99).toFixed(1)} ms`;
