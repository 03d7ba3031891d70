import { describe, expect, it } from 'vitest';
import { watchBrokerQueue } from './broker-queue.ts';
import { createExternalBroker } from './external-broker.ts';
import {
  eventually,
  Inbox,
  KEY,
  MAC,
  OTHER_MAC,
  pause,
  signIn,
  startTransport,
  up,
} from './testing/transport-kit.ts';
import { hasMosquitto, startMosquitto } from './testing/mosquitto.ts';

function createTransport(port: number, inbox: Inbox) {
  return createExternalBroker({
    url: `mqtt://headrace:${KEY}@127.0.0.1:${port}`,
    clientId: 'headrace-1',
    filters: ['headrace/v1/+/up/#', 'headrace/v1/+/state'],
    onOversize: inbox.takeOversize,
    reconnectMs: { min: 20, max: 100 },
    stopWithinMs: 500,
  });
}

async function openTransport(port: number, inbox: Inbox) {
  const transport = createTransport(port, inbox);
  await startTransport(transport, inbox);
  await eventually(() => transport.status().connected);
  return transport;
}

describe.skipIf(!hasMosquitto)('Mosquitto with the configuration we ship', () => {
  it('gives a gateway its own corner and no other', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const transport = await openTransport(mosquitto.serverPort, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    const heard: string[] = [];
    gateway.on('message', (topic) => heard.push(topic));
    await gateway
      .subscribeAsync([`headrace/v1/${MAC}/down/#`, `headrace/v1/${OTHER_MAC}/down/#`], { qos: 1 })
      .catch(() => undefined);
    await gateway.publishAsync(up('sensor', OTHER_MAC), 'foreign', { qos: 1 });
    await gateway.publishAsync(up('sensor'), Buffer.alloc(300_000), { qos: 1 });
    await gateway.publishAsync(up('sensor'), 'own', { qos: 1 });
    await gateway.publishAsync(`headrace/v1/${MAC}/state`, 'on', { qos: 1, retain: true });
    await inbox.count(2);
    expect(inbox.texts.sort()).toEqual(['on', 'own']);
    await transport.publish(`headrace/v1/${OTHER_MAC}/down/cmd`, 'not yours');
    await transport.publish(`headrace/v1/${MAC}/down/cmd`, 'yours');
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([`headrace/v1/${MAC}/down/cmd`]);
    await expect(signIn(mosquitto.port, MAC, { password: 'wrong' })).rejects.toThrow('Not authorized');
  });

  it('lets no device take the session of a server, or of another device', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const transport = await openTransport(mosquitto.serverPort, inbox);
    const other = await signIn(mosquitto.port, OTHER_MAC);
    let isOtherClosed = false;
    other.once('close', () => (isOtherClosed = true));
    await signIn(mosquitto.port, MAC, { clientId: 'headrace-1', clean: true });
    await signIn(mosquitto.port, MAC, { clientId: OTHER_MAC, clean: true });
    await pause(200);
    expect([transport.status().connected, isOtherClosed]).toEqual([true, false]);
    await other.publishAsync(up('sensor', OTHER_MAC), 'still here', { qos: 1 });
    await inbox.count(1);
    expect(transport.status().dropped).toEqual({});
  });

  it('keeps 4,000 messages for a server that is away, and gives all of them', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const before = await openTransport(mosquitto.serverPort, inbox);
    await before.stop();
    const gateway = await signIn(mosquitto.port, MAC);
    await Promise.all(
      Array.from({ length: 4_000 }, (_, index) =>
        gateway.publishAsync(up('sensor'), String(index), { qos: 1 }),
      ),
    );
    await openTransport(mosquitto.serverPort, inbox);
    await inbox.count(4_000);
    expect(new Set(inbox.texts).size).toBe(4_000);
  });

  it('gives again what was not acknowledged, many at a time, and the kept state as retained', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    inbox.isAutomatic = false;
    const before = await openTransport(mosquitto.serverPort, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    await gateway.publishAsync(`headrace/v1/${MAC}/state`, 'on', { qos: 1, retain: true });
    for (let index = 0; index < 300; index++) gateway.publish(up('sensor'), String(index), { qos: 1 });
    const messages = await inbox.count(301);
    for (const { ack } of messages.slice(0, 101)) ack();
    await before.stop();
    const again = new Inbox();
    await openTransport(mosquitto.serverPort, again);
    await again.count(201);
    expect(
      again.messages.filter(({ retained }) => retained).map(({ payload }) => payload.toString()),
    ).toEqual(['on']);
    const sensors = again.messages
      .filter(({ topic }) => topic === up('sensor'))
      .map(({ payload }) => Number(payload.toString()));
    expect(sensors.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 100));
  });

  it('tells what it throws away because more waits than it keeps', async () => {
    const mosquitto = await startMosquitto({
      extra: 'max_queued_messages 100\nmax_inflight_messages 20\nsys_interval 1',
    });
    const away = await openTransport(mosquitto.serverPort, new Inbox());
    await away.stop();
    let lost = 0;
    const queue = watchBrokerQueue({ max: 100, onDropped: (count) => (lost += count) });
    const listening = createExternalBroker({
      url: `mqtt://headrace:${KEY}@127.0.0.1:${mosquitto.serverPort}`,
      clientId: 'headrace-speaking',
      clean: true,
      filters: [],
      hints: queue.hints,
      onOversize: () => undefined,
      stopWithinMs: 500,
    });
    await startTransport(listening, new Inbox());
    await expect.poll(queue.dropped).toBe(0);
    const gateway = await signIn(mosquitto.port, MAC);
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          gateway.publishAsync(up('sensor'), String(index), { qos: 1 }),
        ),
      );
    await send(80);
    await expect.poll(queue.trouble).toMatch(/^warning: \d+ messages wait at the broker/);
    await send(120);
    await expect.poll(() => lost).toBeGreaterThan(50);
    expect(queue.trouble()).toMatch(/^the broker threw away \d+ messages that it had acknowledged/);
  });

  it('survives its restart, with what waited in it', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    inbox.isAutomatic = false;
    const transport = await openTransport(mosquitto.serverPort, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    await gateway.publishAsync(up('sensor'), 'waited', { qos: 1 });
    await inbox.count(1);
    await mosquitto.stop();
    await eventually(() => !transport.status().connected);
    const sent = transport.publish(`headrace/v1/${MAC}/down/time`, '{}');
    inbox.isAutomatic = true;
    await mosquitto.start();
    await inbox.count(2);
    await sent;
    expect(inbox.texts).toEqual(['waited', 'waited']);
  });
});
