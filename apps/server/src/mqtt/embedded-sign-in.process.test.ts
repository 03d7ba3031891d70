import { once } from 'node:events';
import type { Socket } from 'node:net';
import mqttClient, { type MqttClient } from 'mqtt';
import { describe, expect, it } from 'vitest';
import {
  connectPacket,
  encode,
  eventually,
  isClosed,
  KEY,
  MAC,
  OTHER_MAC,
  openBroker,
  openRaw,
  pause,
  signIn,
  up,
} from './testing/transport-kit.ts';

/** The return code of a refused CONNECT. */
async function refusal(port: number, username: string, password: string): Promise<unknown> {
  const options = { protocolVersion: 4, reconnectPeriod: 0, username, password } as const;
  const url = `mqtt://127.0.0.1:${port}`;
  const error: unknown = await mqttClient
    .connectAsync(url, options, false)
    .catch((reason: unknown) => reason);
  return (error as { code?: unknown }).code;
}

describe('signing in to the embedded broker', () => {
  it('refuses a wrong key, an unknown name and nobody', async () => {
    const { broker } = await openBroker();
    expect(await refusal(broker.port, MAC, 'wrong')).toBe(4);
    expect(await refusal(broker.port, 'nobody', KEY)).toBe(4);
    expect(await refusal(broker.port, '', '')).toBe(4);
    expect(broker.status().dropped).toMatchObject({ wrongKey: 3 });
  });

  it('limits guessing: one name soon, the whole address later, and everyone again a minute after', async () => {
    let now = new Date('2026-03-01T10:00:00Z');
    const { broker } = await openBroker({ maxFailuresPerMinute: 6, clock: () => now });
    for (let attempt = 0; attempt < 2; attempt++) expect(await refusal(broker.port, MAC, 'wrong')).toBe(4);
    expect(await refusal(broker.port, MAC, KEY)).toBe(5);
    // The neighbour behind the same router is not locked out by one gateway with a wrong key.
    await signIn(broker.port, OTHER_MAC);
    for (const name of ['a', 'b', 'c', 'd']) expect(await refusal(broker.port, name, 'wrong')).toBe(4);
    expect(await refusal(broker.port, OTHER_MAC, KEY)).toBe(5);
    expect(broker.status().dropped).toMatchObject({ wrongKey: 6, tooManyAttempts: 2 });
    now = new Date('2026-03-01T10:01:00Z');
    await signIn(broker.port, MAC);
  });

  it('says "not available" when keys can not be checked', async () => {
    const { broker } = await openBroker({ authenticate: () => Promise.reject(new Error('no database')) });
    expect(await refusal(broker.port, MAC, KEY)).toBe(3);
  });

  it('keeps one session per gateway, the newest, whatever its client id', async () => {
    const { broker, inbox } = await openBroker();
    const first = await signIn(broker.port, MAC, { clientId: 'one' });
    const second = await signIn(broker.port, MAC, { clientId: 'two' });
    await eventually(() => !first.connected);
    const third = await signIn(broker.port, MAC, { clientId: 'two' });
    await eventually(() => !second.connected);
    await third.publishAsync(up('hello'), '{}', { qos: 1 });
    expect(inbox.topics).toEqual([up('hello')]);
  });

  it('lets nobody end a session of somebody else by using its client id', async () => {
    const { broker } = await openBroker();
    const victim = await signIn(broker.port, MAC, { clientId: 'shared-name' });
    const lorawan = await signIn(broker.port, 'lorawan', { clientId: 'shared-name' });
    await signIn(broker.port, OTHER_MAC, { clientId: 'shared-name' });
    await victim.publishAsync(up('hello'), '{}', { qos: 1 });
    expect([victim.connected, lorawan.connected]).toEqual([true, true]);
  });

  it('ends the session of a sender whose key was rotated, and of no other', async () => {
    const { broker } = await openBroker();
    const rotated = await signIn(broker.port, MAC);
    const other = await signIn(broker.port, OTHER_MAC);
    broker.disconnect(`gateway:${MAC}`);
    await eventually(() => !rotated.connected);
    expect(other.connected).toBe(true);
  });

  it('keeps no session for a device: a command does not wait in memory', async () => {
    const { broker } = await openBroker();
    const session = { clientId: 'kept', clean: false };
    const before = await signIn(broker.port, MAC, session);
    await before.subscribeAsync(`headrace/v1/${MAC}/down/#`, { qos: 1 });
    await before.endAsync();
    await broker.publish(`headrace/v1/${MAC}/down/cmd`, 'late');
    const heard: string[] = [];
    const after = await signIn(broker.port, MAC, session);
    after.on('message', (_topic, payload) => heard.push(payload.toString()));
    await after.subscribeAsync(`headrace/v1/${MAC}/down/#`, { qos: 1 });
    await broker.publish(`headrace/v1/${MAC}/down/cmd`, 'fresh');
    await eventually(() => heard.length > 0);
    expect(heard).toEqual(['fresh']);
  });

  it('closes a connection whose CONNECT never comes, or never ends', async () => {
    const { broker } = await openBroker({ connectTimeoutMs: 150 });
    const silent = await openRaw(broker.port);
    const half = await openRaw(broker.port);
    half.write(connectPacket(MAC).subarray(0, 9));
    expect(await Promise.all([isClosed(silent), isClosed(half)])).toEqual([true, true]);
  });

  it('closes a connection that speaks something else, before and after signing in', async () => {
    const { broker } = await openBroker();
    const web = await openRaw(broker.port);
    web.write('GET / HTTP/1.1\r\nHost: farm\r\n\r\n');
    expect(await isClosed(web)).toBe(true);
    const device = await openRaw(broker.port);
    device.write(connectPacket(MAC));
    await once(device, 'data');
    device.write(Buffer.from([0x32, 0x04, 0xff, 0xff, 1, 2]));
    expect(await isClosed(device)).toBe(true);
    expect(broker.status().dropped).toMatchObject({ noConnect: 1, clientError: 1 });
    await signIn(broker.port, MAC);
  });

  it('lets no more clients in than it may, and one that is in come anew', async () => {
    const { broker } = await openBroker({ maxConnections: 1 });
    const first = await signIn(broker.port, MAC);
    expect(await refusal(broker.port, OTHER_MAC, KEY)).toBe(3);
    expect(broker.status().dropped).toMatchObject({ tooManyConnections: 1 });
    await signIn(broker.port, MAC);
    await eventually(() => !first.connected);
  });

  it('ends the silent connection of an address that waits longest, and lets a gateway in from anywhere', async () => {
    const { broker } = await openBroker({ maxSilent: { perKey: 3, all: 100 } });
    const device = await signIn(broker.port, MAC);
    const elsewhere = await openRaw(broker.port, '127.0.0.3');
    const silent: Socket[] = [];
    for (let count = 0; count < 5; count++) silent.push(await openRaw(broker.port, '127.0.0.2'));
    await eventually(() => silent.slice(0, 2).every(({ destroyed }) => destroyed));
    const other = await openRaw(broker.port, '127.0.0.2');
    other.write(connectPacket(OTHER_MAC));
    expect((await once(other, 'data'))[0]).toEqual(Buffer.from([0x20, 2, 0, 0]));
    await eventually(() => silent[2]?.destroyed === true);
    expect([elsewhere, ...silent.slice(3)].map(({ readyState }) => readyState)).toEqual([
      'open',
      'open',
      'open',
    ]);
    expect(device.connected).toBe(true);
    expect(broker.status().dropped).toMatchObject({ silent: 3 });
  });

  it('looks no more than a few sign-ins of an address up at once, and none after thirty were wrong', async () => {
    let now = 0;
    let most = 0;
    let lookedUp = 0;
    let fourAreIn = () => {};
    const four = new Promise<void>((resolve) => (fourAreIn = resolve));
    const { broker } = await openBroker({
      async authenticate() {
        lookedUp += 1;
        most = Math.max(most, (now += 1));
        // The first wait for the fourth: on a busy machine they come one by one.
        if (now === 4) fourAreIn();
        await four;
        await pause(2);
        now -= 1;
        return null;
      },
    });
    const refusals = await Promise.all(
      Array.from({ length: 100 }, (_, number) => refusal(broker.port, `nobody-${number}`, 'guess')),
    );
    expect(most).toBe(4);
    // Those that were under way together with the thirtieth were looked up, too.
    expect(lookedUp).toBeGreaterThanOrEqual(30);
    expect(lookedUp).toBeLessThan(34);
    expect(refusals.filter((code) => code === 5)).toHaveLength(100 - lookedUp);
  });

  it('keeps the newest connections of one integration key, as many as network servers need', async () => {
    const { broker } = await openBroker();
    const first = await signIn(broker.port, 'lorawan', { clientId: 'first' });
    const others: MqttClient[] = [];
    for (let count = 0; count < 20; count++)
      others.push(await signIn(broker.port, 'lorawan', { clientId: `lns-${count}` }));
    await eventually(() => !first.connected);
    expect(others.filter(({ connected }) => !connected).map(({ options }) => options.clientId)).toEqual([]);
  });

  it('ends the session of a client that breaks its keep-alive', async () => {
    const { broker, inbox } = await openBroker();
    const device = await openRaw(broker.port);
    const will = {
      topic: `headrace/v1/${MAC}/state`,
      payload: Buffer.from('gone'),
      qos: 1,
      retain: true,
    } as const;
    const credentials = { username: MAC, password: Buffer.from(KEY) };
    device.write(
      encode({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'x',
        keepalive: 1,
        will,
        ...credentials,
      }),
    );
    expect(await isClosed(device)).toBe(true);
    await inbox.count(1);
    expect(inbox.texts).toEqual(['gone']);
  });
});
