import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { percentile } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const FARMS = 20;
const SOCKETS = 1000;
const SECONDS = 10;
const MESSAGES_PER_SECOND = 1000;
const GATE_MS = 500;

/** From a device's publish to the browser's message, with a thousand live sockets open, at a thousand messages a second. */
export async function benchLive(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword('bench-password');
  const accounts: { email: string; gateways: Awaited<ReturnType<typeof buildWorld>> }[] = [];
  for (let farm = 0; farm < FARMS; farm += 1) {
    const email = `live${farm}@bench.test`;
    accounts.push({
      email,
      gateways: await buildWorld(stand.sql, {
        farms: 1,
        sensors: 50,
        from: 20_000_000 + farm * 10_000,
        ownerEmail: email,
        passwordHash,
      }),
    });
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
  const p99 = percentile(delays, 0.99);
  record({
    what: `publish to browser, ${SOCKETS} sockets, ${Math.round(sent / SECONDS)} messages/s`,
    value: `p50 ${percentile(delays, 0.5).toFixed(0)} p99 ${p99.toFixed(0)} ms`,
    gate: {
      text: `p99 under ${GATE_MS} ms`,
      met: p99 < GATE_MS && sent >= SECONDS * MESSAGES_PER_SECOND * 0.95,
    },
  });
}
