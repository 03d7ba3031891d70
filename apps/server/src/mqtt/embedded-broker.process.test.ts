import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  connectPacket,
  encode,
  eventually,
  Inbox,
  isClosed,
  MAC,
  OTHER_MAC,
  openBroker,
  openRaw,
  pause,
  publishPacket,
  signIn,
  up,
} from './testing/transport-kit.ts';

const STATE = `headrace/v1/${MAC}/state`;
const LORAWAN_UP = 'application/1/device/0102030405060708/event/up';
const MIB = 1024 * 1024;

/** An inbox that acknowledges only when told. */
function slowInbox(): Inbox {
  const inbox = new Inbox();
  inbox.isAutomatic = false;
  return inbox;
}

describe('messages through the embedded broker', () => {
  it('hands on what devices say, with who said it', async () => {
    const { broker, inbox } = await openBroker();
    const gateway = await signIn(broker.port, MAC);
    const lorawan = await signIn(broker.port, 'lorawan');
    await gateway.publishAsync(up('sensor'), '{"items":[]}', { qos: 1 });
    await lorawan.publishAsync(LORAWAN_UP, '{}', { qos: 0 });
    await gateway.publishAsync(up('io'), 'two', { qos: 2 });
    await inbox.count(3);
    const seen = inbox.messages.map(({ topic, sender, retained }) => [topic, sender.kind, retained]);
    expect(seen).toContainEqual([up('sensor'), 'gateway', false]);
    expect(seen).toContainEqual([LORAWAN_UP, 'network', false]);
    expect(seen).toContainEqual([up('io'), 'gateway', false]);
    expect(inbox.messages[0]?.sender).toEqual({ kind: 'gateway', farmId: 1, deviceId: 10, mac: MAC });
    expect(broker.status()).toMatchObject({ connected: true, held: 0, trouble: null, dropped: {} });
  });

  it('acknowledges, drops and counts a foreign topic, and takes the next message', async () => {
    const { broker, inbox } = await openBroker();
    const spy = await signIn(broker.port, 'server');
    const heard: string[] = [];
    spy.on('message', (topic) => heard.push(topic));
    await spy.subscribeAsync('#', { qos: 1 });
    const gateway = await signIn(broker.port, MAC);
    await gateway.publishAsync(up('sensor', OTHER_MAC), 'foreign', { qos: 1 });
    await gateway.publishAsync(`headrace/v1/${OTHER_MAC}/state`, 'foreign', { qos: 1, retain: true });
    await gateway.publishAsync('$SYS/uptime', 'foreign', { qos: 1 });
    await gateway.publishAsync(up('sensor'), 'own', { qos: 1 });
    await eventually(() => heard.length > 0);
    expect(inbox.texts).toEqual(['own']);
    expect(heard).toEqual([up('sensor')]);
    expect(broker.status().dropped).toEqual({ foreignTopic: 3 });
  });

  it('refuses a foreign subscription and grants the own one', async () => {
    const { broker } = await openBroker();
    const gateway = await signIn(broker.port, MAC);
    const [foreign, everything, own] = await Promise.all(
      [`headrace/v1/${OTHER_MAC}/down/#`, '#', `headrace/v1/${MAC}/down/#`].map((topic) =>
        gateway.subscribeAsync(topic, { qos: 1 }).then(
          (granted) => granted[0]?.qos,
          (error: Error) => error.message,
        ),
      ),
    );
    expect([foreign, everything]).toEqual(Array(2).fill(expect.stringContaining('Unspecified error')));
    expect(own).toBe(1);
    expect(broker.status().dropped).toEqual({ foreignSubscription: 2 });
  });

  it('acknowledges only after ack(), with a hundred messages under way', async () => {
    const { broker, inbox } = await openBroker({ inbox: slowInbox() });
    const gateway = await signIn(broker.port, MAC);
    let acknowledged = 0;
    const all = Array.from({ length: 100 }, (_, index) =>
      gateway.publishAsync(up('sensor'), String(index), { qos: 1 }).then(() => acknowledged++),
    );
    const messages = await inbox.count(100);
    await pause(50);
    expect([acknowledged, broker.status().held]).toEqual([0, 100]);
    for (const { ack } of messages.slice(0, 40)) ack();
    await eventually(() => acknowledged === 40);
    await pause(50);
    expect([acknowledged, broker.status().held]).toEqual([40, 60]);
    for (const { ack } of messages) ack();
    await Promise.all(all);
    expect(inbox.texts).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
    expect(broker.status().held).toBe(0);
  });

  it('keeps a gateway connected while its messages wait for a slow database', async () => {
    const { broker, inbox } = await openBroker({ inbox: slowInbox() });
    const gateway = await signIn(broker.port, MAC, { keepalive: 1 });
    const all = Array.from({ length: 100 }, () => gateway.publishAsync(up('sensor'), 'x', { qos: 1 }));
    const messages = await inbox.count(100);
    await pause(2_500);
    expect(gateway.connected).toBe(true);
    for (const { ack } of messages) ack();
    await Promise.all(all);
  });

  it('makes senders wait while too much is held, and drops nothing', async () => {
    const maxHeld = { messages: 100, bytes: MIB };
    const { broker, inbox } = await openBroker({
      inbox: slowInbox(),
      maxHeld,
      maxHeldPerClient: { messages: 70, bytes: MIB },
    });
    const senders = await Promise.all([signIn(broker.port, MAC), signIn(broker.port, OTHER_MAC)]);
    const one = Array.from({ length: 1_000 }, (_, index) =>
      senders[0].publishAsync(up('sensor'), `a${index}`, { qos: 1 }),
    );
    await eventually(() => broker.status().held === 70);
    const two = Array.from({ length: 1_000 }, (_, index) =>
      senders[1].publishAsync(up('sensor', OTHER_MAC), `b${index}`, { qos: 1 }),
    );
    await inbox.count(100);
    await pause(100);
    expect([broker.status().held, inbox.messages.length]).toEqual([100, 100]);
    let most = 0;
    for (let done = 0; done < 2_000; ) {
      most = Math.max(most, broker.status().held);
      const batch = inbox.messages.slice(done, done + 50);
      for (const { ack } of batch) ack();
      done += batch.length;
      await pause(1);
    }
    await Promise.all([...one, ...two]);
    expect(most).toBe(100);
    expect(new Set(inbox.texts).size).toBe(2_000);
    expect(broker.status()).toMatchObject({ connected: true, held: 0, trouble: null, dropped: {} });
  });

  it('keeps a retained state for who asks later, and no other retained message', async () => {
    const { broker } = await openBroker();
    const gateway = await signIn(broker.port, MAC);
    await gateway.publishAsync(STATE, '{"online":true}', { qos: 1, retain: true });
    await gateway.publishAsync(up('sensor'), '{}', { qos: 1, retain: true });
    const late = await signIn(broker.port, 'server');
    const heard: [string, boolean, string][] = [];
    late.on('message', (topic, payload, packet) => heard.push([topic, packet.retain, payload.toString()]));
    await late.subscribeAsync('headrace/#', { qos: 1 });
    await eventually(() => heard.length > 0);
    await pause(50);
    expect(heard).toEqual([[STATE, true, '{"online":true}']]);
  });

  it('takes the will of a gateway that vanished as a message, and keeps it', async () => {
    const { broker, inbox } = await openBroker({ inbox: slowInbox() });
    const will = { topic: STATE, payload: Buffer.from('{"online":false}'), qos: 1, retain: true } as const;
    const gateway = await signIn(broker.port, MAC, { will });
    gateway.stream.destroy();
    const [message] = await inbox.count(1);
    expect([message?.topic, message?.payload.toString(), message?.sender.kind]).toEqual([
      STATE,
      '{"online":false}',
      'gateway',
    ]);
    message?.ack();
    const late = await signIn(broker.port, 'server');
    const heard: string[] = [];
    late.on('message', (_topic, payload) => heard.push(payload.toString()));
    await late.subscribeAsync(STATE, { qos: 1 });
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['{"online":false}']);
  });

  it('drops and counts a will on a foreign topic', async () => {
    const { broker, inbox } = await openBroker();
    const topic = `headrace/v1/${OTHER_MAC}/state`;
    const gateway = await signIn(broker.port, MAC, {
      will: { topic, payload: Buffer.from('x'), qos: 1, retain: true },
    });
    gateway.stream.destroy();
    await eventually(() => broker.status().dropped.foreignTopic === 1);
    expect([inbox.messages.length, broker.status().held]).toEqual([0, 0]);
  });

  it('lets a client leave while its message is held, and still keeps its state', async () => {
    const { broker, inbox } = await openBroker({ inbox: slowInbox() });
    const gateway = await signIn(broker.port, MAC);
    gateway.publish(STATE, 'last word', { qos: 1, retain: true });
    gateway.publish(up('sensor'), '{}', { qos: 1 });
    const messages = await inbox.count(2);
    gateway.stream.destroy();
    await pause(50);
    for (const { ack } of messages) ack();
    expect(broker.status().held).toBe(0);
    const late = await signIn(broker.port, 'server');
    const heard: string[] = [];
    late.on('message', (_topic, payload) => heard.push(payload.toString()));
    await late.subscribeAsync(STATE, { qos: 1 });
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['last word']);
  });

  it('survives a consumer that throws', async () => {
    const { broker, inbox } = await openBroker();
    const gateway = await signIn(broker.port, MAC);
    inbox.messages.push = () => {
      throw new Error('not today');
    };
    gateway.publish(up('sensor'), '{}', { qos: 1 });
    await eventually(() => !gateway.connected);
    await eventually(() => broker.status().held === 0);
  });

  it('reports a message of 10 MB, acknowledges it and takes the next on the same connection', async () => {
    const { broker, inbox } = await openBroker();
    const gateway = await signIn(broker.port, MAC);
    const payload = Buffer.alloc(10_000_000, 'x');
    for (const qos of [1, 2] as const) await gateway.publishAsync(up('sensor'), payload, { qos });
    await gateway.publishAsync(up('sensor', OTHER_MAC), payload, { qos: 1 });
    await gateway.publishAsync(up('sensor'), Buffer.alloc(256 * 1024, 'y'), { qos: 1 });
    await gateway.publishAsync(up('sensor'), 'small', { qos: 1 });
    expect(inbox.messages.map(({ payload: { length } }) => length)).toEqual([262_144, 5]);
    const { topic, bytes, head, sender } = inbox.oversize[0] ?? {};
    expect([topic, bytes, head?.toString(), sender?.kind]).toEqual([
      up('sensor'),
      10_000_000,
      'x'.repeat(4_096),
      'gateway',
    ]);
    expect(inbox.oversize).toHaveLength(2);
    expect(broker.status().dropped).toEqual({ oversize: 2, foreignTopic: 1 });
  });

  it('acknowledges an oversize message only once its dead letter is stored', async () => {
    let store: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const { broker, inbox } = await openBroker({ onOversize: () => stored });
    const gateway = await signIn(broker.port, MAC);
    let isAcknowledged = false;
    const sent = gateway
      .publishAsync(up('sensor'), Buffer.alloc(300_000), { qos: 1 })
      .then(() => (isAcknowledged = true));
    await gateway.publishAsync(up('sensor'), 'next', { qos: 1 });
    expect([isAcknowledged, inbox.texts]).toEqual([false, ['next']]);
    store();
    await sent;
  });

  it('closes a connection at more than 32 MiB, having told of it', async () => {
    const { broker, inbox } = await openBroker();
    const device = await openRaw(broker.port);
    device.write(connectPacket(MAC));
    await once(device, 'data');
    device.write(publishPacket(up('sensor'), Buffer.alloc(33 * MIB), 1).subarray(0, MIB));
    expect(await isClosed(device)).toBe(true);
    expect(inbox.oversize.map(({ bytes }) => bytes)).toEqual([33 * MIB]);
    expect(broker.status().dropped).toEqual({ oversize: 1, tooLarge: 1 });
  });

  it('waits with what a client says right after CONNECT until it is signed in', async () => {
    const { broker, inbox } = await openBroker();
    const device = await openRaw(broker.port);
    const hasty = Array.from({ length: 100 }, (_, index) =>
      publishPacket(up('sensor'), String(index), index + 1),
    );
    device.write(Buffer.concat([connectPacket(MAC), ...hasty]));
    await inbox.count(100);
    expect(inbox.texts.at(-1)).toBe('99');
  });
});

describe('messages to devices', () => {
  it('delivers a command to its gateway alone', async () => {
    const { broker } = await openBroker();
    const heard: string[] = [];
    for (const mac of [MAC, OTHER_MAC]) {
      const gateway = await signIn(broker.port, mac);
      gateway.on('message', (topic, payload, { qos }) => heard.push(`${topic} ${payload.toString()} ${qos}`));
      await gateway.subscribeAsync(`headrace/v1/${mac}/down/#`, { qos: 1 });
    }
    await broker.publish(`headrace/v1/${MAC}/down/cmd`, '{"cmdId":"1"}');
    await broker.publish(`headrace/v1/${OTHER_MAC}/down/time`, '{}');
    await eventually(() => heard.length === 2);
    expect(heard).toEqual([
      `headrace/v1/${MAC}/down/cmd {"cmdId":"1"} 1`,
      `headrace/v1/${OTHER_MAC}/down/time {} 1`,
    ]);
  });

  it('lets one gateway that reads nothing hold up no other, and drops it in the end', async () => {
    const { broker } = await openBroker({ drainTimeoutMs: 5_000 });
    const stuck = await openRaw(broker.port);
    stuck.write(connectPacket(OTHER_MAC));
    await once(stuck, 'data');
    const commands = `headrace/v1/${OTHER_MAC}/down/cmd`;
    stuck.write(encode({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: commands, qos: 1 }] }));
    await once(stuck, 'data');
    stuck.pause();
    const gateway = await signIn(broker.port, MAC);
    const heard: string[] = [];
    gateway.on('message', (_topic, payload) => heard.push(payload.toString()));
    await gateway.subscribeAsync(`headrace/v1/${MAC}/down/#`, { qos: 1 });
    const large = 'x'.repeat(200_000);
    const blocked = Array.from({ length: 150 }, () => broker.publish(commands, large));
    await broker.publish(`headrace/v1/${MAC}/down/cmd`, 'in time');
    await eventually(() => heard.length === 1);
    expect(broker.status().dropped).toEqual({});
    await Promise.all(blocked);
    await eventually(() => broker.status().dropped.clientError === 1);
  });
});

describe('stopping the embedded broker', () => {
  it('answers what is acknowledged in time, leaves the rest to be sent again, and ends no sooner', async () => {
    const { broker, inbox } = await openBroker({ inbox: slowInbox(), stopWithinMs: 300 });
    const gateway = await signIn(broker.port, MAC, {
      will: { topic: STATE, payload: Buffer.from('x'), qos: 1, retain: true },
    });
    const settled: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      gateway.publish(up('sensor'), name, { qos: 1 }, (error) => !error && settled.push(name));
    }
    const messages = await inbox.count(3);
    const stopped = broker.stop();
    await pause(50);
    gateway.publish(up('sensor'), 'too late', { qos: 1 }, (error) => !error && settled.push('too late'));
    for (const { ack } of messages.slice(0, 2)) ack();
    await stopped;
    await eventually(() => !gateway.connected);
    expect(settled).toEqual(['first', 'second']);
    expect(inbox.texts).toEqual(['first', 'second', 'third']);
    expect(broker.status().connected).toBe(false);
    await expect(broker.publish('headrace/live/1', '{}')).rejects.toThrow('not running');
  });

  it('waits for nothing when nothing is held, and can be started again', async () => {
    // Longer than a test lasts.
    const { broker, inbox } = await openBroker({ stopWithinMs: 3_600_000 });
    await signIn(broker.port, MAC);
    await broker.stop();
    await broker.start(inbox.take);
    const again = await signIn(broker.port, MAC);
    await again.publishAsync(up('hello'), '{}', { qos: 1 });
    expect(inbox.topics).toEqual([up('hello')]);
  });

  it('says so when its port is taken', async () => {
    const { broker } = await openBroker();
    await expect(openBroker({ port: broker.port })).rejects.toThrow('EADDRINUSE');
  });
});
