import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { percentile } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const SOCKETS = 1000;
const SECONDS = 10;
const MESSAGES_PER_SECOND = 1000;
const GATE_MS = 500;

/** From a device's publish to the browser's message, with a thousand live sockets open, at a thousand messages a second. */
export async function benchLive(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword('bench-password');
  const calm = await measure(stand, { farms: 200, from: 20_000_000, passwordHash });
  const p99 = percentile(calm.delays, 0.99);
  record({
    what: `publish to browser, ${SOCKETS} sockets on 200 farms, ${calm.rate} messages/s`,
    value: text(calm.delays),
    gate: { text: `p99 under ${GATE_MS} ms`, met: p99 < GATE_MS && calm.rate >= MESSAGES_PER_SECOND * 0.95 },
  });
  const crowded = await measure(stand, { farms: 20, from: 40_000_000, passwordHash });
  record({
    what: `the same on 20 farms: 50 browsers hear each, ${crowded.rate * 50} frames/s`,
    value: text(crowded.delays),
  });
}

const text = (delays: number[]) =>
  `p50 ${percentile(delays, 0.5).toFixed(0)} p99 ${percentile(delays, 0.99).toFixed(0)} ms`;

interface Crowd {
  farms: number;
  from: number;
  passwordHash: string;
}

async function measure(
  stand: Stand,
  { farms, from, passwordHash }: Crowd,
): Promise<{ delays: number[]; rate: number }> {
  const accounts: { email: string; gateways: Awaited<ReturnType<typeof buildWorld>> }[] = [];
  for (let farm = 0; farm < farms; farm += 1) {
    const email = `live${from + farm}@bench.test`;
    const world = { farms: 1, sensors: 50, from: from + farm * 10_000, ownerEmail: email, passwordHash };
    accounts.push({ email, gateways: await buildWorld(stand.sql, world) });
  }
  const child = fork(fileURLToPath(new URL('./live-load.js', import.meta.url)), {
    serialization: 'advanced',
  });
  child.send({
    url: stand.url,
    port: stand.mqttPort,
    accounts,
    sockets: SOCKETS,
    seconds: SECONDS,
    perSecond: MESSAGES_PER_SECOND,
  });
  const [{ delays, sent }] = (await once(child, 'message')) as [{ delays: number[]; sent: number }];
  return { delays, rate: Math.round(sent / SECONDS) };
}
