import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedBroker } from '../mqtt/embedded-broker.ts';
import { eventually, KEY, MAC, openBroker, pause, signIn } from '../mqtt/testing/transport-kit.ts';
import { hasMosquitto, startMosquitto } from '../mqtt/testing/mosquitto.ts';
import { freePort } from '../testing/free-port.ts';
import { createMqttBus, type News } from './live-bus.ts';
import { statusEvent } from './status-event.ts';

/** One server's part: what it heard, and how often it had to assume that it missed something. */
async function openBus(port: number, name: string, user = 'server') {
  const bus = createMqttBus({
    url: `mqtt://${user}:${KEY}@127.0.0.1:${port}`,
    clientId: `headrace-${name}-live`,
    reconnectMs: { min: 20, max: 50 },
  });
  const heard: News[] = [];
  const counts = { gaps: 0 };
  bus.listen({ onNews: (news) => void heard.push(news), onGap: () => counts.gaps++ });
  await bus.start();
  onTestFinished(() => bus.stop());
  await eventually(() => bus.trouble() === null);
  return { bus, heard, counts };
}

const tank = (farmId: number, serialNumber = 'T1') =>
  statusEvent(farmId, {
    type: 'tank_level',
    farmUID: 'f'.repeat(24),
    uid: 'a'.repeat(24),
    serialNumber,
    updatedAt: '2026-11-20T21:00:00.000Z',
  });

const EVERYTHING: News[] = [
  { kind: 'farm', event: tank(1) },
  { kind: 'account', accountId: 7, frame: { type: 'app_version', data: { version: '9' } } },
  { kind: 'account', accountId: 7, frame: { type: 'permissions', data: [] }, except: 'ab'.repeat(32) },
  {
    kind: 'account',
    accountId: 7,
    frame: { type: 'command_seen', data: { farmUID: 'f'.repeat(24), commandId: 'c'.repeat(24) } },
  },
  { kind: 'session-ended', tokenHash: 'cd'.repeat(32) },
  { kind: 'session-renewed', tokenHash: 'cd'.repeat(32) },
  { kind: 'access-changed', accountId: 7 },
  { kind: 'devices-changed', farmId: 1 },
  { kind: 'sender-disconnected', senderKey: `gateway:${MAC}` },
];

describe('the bus between servers', () => {
  it('brings all kinds of news to every other server in order, and no echo', async () => {
    const { broker } = await openBroker();
    const [a, b, c] = [
      await openBus(broker.port, 'a'),
      await openBus(broker.port, 'b'),
      await openBus(broker.port, 'c'),
    ];
    for (const news of EVERYTHING) a.bus.tell(news);
    await eventually(() => b.heard.length === EVERYTHING.length && c.heard.length === EVERYTHING.length);
    await pause(50);
    expect([a.heard, b.heard, c.heard]).toEqual([[], EVERYTHING, EVERYTHING]);
  });

  it('sends what is said at one time in few messages', async () => {
    const { broker } = await openBroker();
    const [a, b] = [await openBus(broker.port, 'a'), await openBus(broker.port, 'b')];
    const watcher = await signIn(broker.port, 'server', { clientId: 'watcher' });
    const sizes: number[] = [];
    let news = 0;
    watcher.on('message', (_topic, payload) => {
      sizes.push(payload.length);
      news += (JSON.parse(payload.toString()) as { news: unknown[] }).news.length;
    });
    await watcher.subscribeAsync('headrace/live/+', { qos: 1 });
    for (let farm = 1; farm <= 1_000; farm++) a.bus.tell({ kind: 'farm', event: tank(farm) });
    await eventually(() => b.heard.length === 1_000 && news === 1_000);
    expect(sizes.length).toBeLessThan(12);
    expect(Math.max(...sizes)).toBeLessThan(66_000);
  });

  it('believes nothing that a server does not say', async () => {
    const { broker } = await openBroker();
    const a = await openBus(broker.port, 'a');
    const other = await signIn(broker.port, 'server', { clientId: 'other' });
    const from = '0123456789abcdef';
    for (const payload of [
      'no JSON',
      '{}',
      JSON.stringify({ from, news: [{ kind: 'access-changed' }] }),
      JSON.stringify({ from, news: [{ kind: 'access-changed', accountId: 1.5 }] }),
      JSON.stringify({
        from,
        news: [{ kind: 'farm', event: { ...tank(1), anyOf: [{ flag: 'everything' }] } }],
      }),
      JSON.stringify({
        from,
        news: [{ kind: 'farm', event: { ...tank(1), frame: { type: 'made_up', data: 1 } } }],
      }),
      JSON.stringify({ from, news: [{ kind: 'made-up' }] }),
      JSON.stringify({ from, news: [{ kind: 'access-changed', accountId: 3 }] }),
    ])
      await other.publishAsync('headrace/live/farm', payload, { qos: 1 });
    await eventually(() => a.heard.length > 0);
    expect(a.heard).toEqual([{ kind: 'access-changed', accountId: 3 }]);
  });

  it('says that something may be missing each time it was away, and when another could not tell all', async () => {
    // Of those that nobody else is given while the broker is away.
    const first = await openBroker({ port: await freePort() });
    const { port } = first.broker;
    const [a, b] = [await openBus(port, 'a'), await openBus(port, 'b')];
    expect([a.counts.gaps, b.counts.gaps]).toEqual([1, 1]);
    await first.broker.stop();
    await eventually(() => a.bus.trouble() !== null && b.bus.trouble() !== null);
    await tooMuch(a.bus.tell);
    const second: { broker: EmbeddedBroker } = await openBroker({ port });
    expect(second.broker.port).toBe(port);
    await eventually(() => b.bus.trouble() === null && b.counts.gaps >= 2);
    a.bus.tell({ kind: 'devices-changed', farmId: 5 });
    await eventually(() => b.heard.some(({ kind }) => kind === 'devices-changed'));
    expect(b.counts.gaps).toBeGreaterThanOrEqual(3);
  });
});

/** More than waits for a broker: 32 MiB. */
async function tooMuch(tell: (news: News) => void): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    for (let farm = 1; farm <= 20; farm++) tell({ kind: 'farm', event: tank(farm, 'x'.repeat(100_000)) });
    await pause(30);
  }
}

describe.skipIf(!hasMosquitto)('on Mosquitto with the access list we ship', () => {
  it('no gateway can speak on the bus or listen to it', async () => {
    const mosquitto = await startMosquitto();
    const [a, b] = [
      await openBus(mosquitto.serverPort, 'a', 'headrace'),
      await openBus(mosquitto.serverPort, 'b', 'headrace'),
    ];
    const gateway = await signIn(mosquitto.port, MAC);
    const overheard: string[] = [];
    gateway.on('message', (topic) => overheard.push(topic));
    await gateway.subscribeAsync(['headrace/live/+', '#'], { qos: 1 }).catch(() => undefined);
    const payload = JSON.stringify({
      from: '0123456789abcdef',
      news: [{ kind: 'access-changed', accountId: 3 }],
    });
    await gateway.publishAsync('headrace/live/access-changed', payload, { qos: 1 });
    a.bus.tell({ kind: 'access-changed', accountId: 4 });
    await eventually(() => b.heard.length > 0);
    await pause(50);
    expect([b.heard, overheard]).toEqual([[{ kind: 'access-changed', accountId: 4 }], []]);
  });
});
