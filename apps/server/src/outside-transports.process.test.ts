import { describe, expect, it, onTestFinished } from 'vitest';
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
} from './mqtt/testing/transport-kit.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from './mqtt/testing/mosquitto.ts';
import { createOutsideTransports } from './outside-transports.ts';

const urlOf = ({ serverPort }: Mosquitto) => `mqtt://headrace:${KEY}@127.0.0.1:${serverPort}`;

async function openTransports(
  mosquitto: Mosquitto,
  clientId: string,
  { takes, inbox = new Inbox(), ...options }: { takes: boolean; inbox?: Inbox; stuckAfterMs?: number },
) {
  const transports = createOutsideTransports({
    url: urlOf(mosquitto),
    clientId,
    onOversize: inbox.takeOversize,
    reconnectMs: { min: 20, max: 100 },
    stopWithinMs: 200,
    ...options,
  });
  await startTransport(transports, inbox);
  transports.takeUplinks(takes);
  await eventually(() => transports.status().connected);
  return { transports, inbox };
}

async function publishMany(mosquitto: Mosquitto, count: number, from = 0): Promise<void> {
  const gateway = await signIn(mosquitto.port, MAC);
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      gateway.publishAsync(up('sensor'), String(from + index), { qos: 1 }),
    ),
  );
}

const numbersIn = (...inboxes: Inbox[]) =>
  inboxes
    .flatMap(({ texts }) => texts)
    .map(Number)
    .toSorted((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.skipIf(!hasMosquitto)('the transports to an outside broker', () => {
  it('bring what devices say to the one server that takes it, and let the others speak to devices', async () => {
    const mosquitto = await startMosquitto();
    const a = await openTransports(mosquitto, 'a', { takes: true });
    const b = await openTransports(mosquitto, 'b', { takes: false });
    await publishMany(mosquitto, 20);
    await a.inbox.count(20);
    expect(numbersIn(a.inbox)).toEqual(upTo(20));
    expect(b.inbox.messages).toEqual([]);
    const gateway = await signIn(mosquitto.port, MAC);
    const heard: string[] = [];
    gateway.on('message', (_topic, payload) => heard.push(payload.toString()));
    await gateway.subscribeAsync(`headrace/v1/${MAC}/down/#`, { qos: 1 });
    await b.transports.publish(`headrace/v1/${MAC}/down/cmd`, 'from b');
    await eventually(() => heard.length === 1);
    expect(heard).toEqual(['from b']);
  });

  it('say that they are not ready before it is known who takes what devices say', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const transports = createOutsideTransports({
      url: urlOf(mosquitto),
      clientId: 'a',
      onOversize: inbox.takeOversize,
    });
    await startTransport(transports, inbox);
    await eventually(() => mosquitto.log.includes('as a ('));
    await pause(100);
    expect(transports.status()).toMatchObject({ connected: false });
    transports.takeUplinks(false);
    // The broker writes its log before the greeting has come.
    await eventually(() => transports.status().connected);
    expect(transports.status().trouble).toBeNull();
  });

  it('bring the next server what one that died had not stored, and what came while nobody took it', async () => {
    const mosquitto = await startMosquitto();
    const dying = new Inbox();
    dying.isAutomatic = false;
    const a = await openTransports(mosquitto, 'a', { takes: true, inbox: dying });
    const b = await openTransports(mosquitto, 'b', { takes: false });
    await publishMany(mosquitto, 20);
    await dying.count(20);
    await a.transports.stop();
    await publishMany(mosquitto, 20, 20);
    expect(b.inbox.messages).toEqual([]);
    b.transports.takeUplinks(true);
    await b.inbox.count(40);
    await publishMany(mosquitto, 20, 40);
    await b.inbox.count(60);
    expect(numbersIn(b.inbox)).toEqual(upTo(60));
  });

  it('lose nothing that Mosquitto took between its own start and the return of the servers', async () => {
    const mosquitto = await startMosquitto();
    const a = await openTransports(mosquitto, 'a', { takes: true });
    await a.transports.stop();
    await mosquitto.stop();
    await mosquitto.start();
    await publishMany(mosquitto, 20);
    const b = await openTransports(mosquitto, 'b', { takes: true });
    await b.inbox.count(20);
    expect(numbersIn(b.inbox)).toEqual(upTo(20));
  });

  it('hand over to another server and back without losing any', async () => {
    const mosquitto = await startMosquitto();
    const a = await openTransports(mosquitto, 'a', { takes: true });
    const b = await openTransports(mosquitto, 'b', { takes: false });
    for (let turn = 0; turn < 4; turn += 1) {
      const [from, to] = turn % 2 === 0 ? [a, b] : [b, a];
      from.transports.takeUplinks(false);
      await publishMany(mosquitto, 10, turn * 10);
      to.transports.takeUplinks(true);
    }
    await eventually(() => new Set(numbersIn(a.inbox, b.inbox)).size === 40);
  });

  it('are stuck once the broker has been out of reach for a while, and no longer when it is back', async () => {
    const mosquitto = await startMosquitto();
    const a = await openTransports(mosquitto, 'a', { takes: true, stuckAfterMs: 300 });
    const b = await openTransports(mosquitto, 'b', { takes: false, stuckAfterMs: 300 });
    await pause(400);
    expect([a.transports.isStuck(), b.transports.isStuck()]).toEqual([false, false]);
    await mosquitto.stop();
    await eventually(() => a.transports.isStuck());
    expect(b.transports.isStuck()).toBe(false);
    await mosquitto.start();
    await eventually(() => !a.transports.isStuck());
  });

  it('hear states while they are to, beginning with the last of each gateway', async () => {
    const mosquitto = await startMosquitto();
    const { transports, inbox } = await openTransports(mosquitto, 'a', { takes: false });
    const state = (mac: string) => `headrace/v1/${mac}/state`;
    const [first, second] = [await signIn(mosquitto.port, MAC), await signIn(mosquitto.port, OTHER_MAC)];
    await first.publishAsync(state(MAC), 'off', { qos: 1, retain: true });
    await first.publishAsync(state(MAC), 'on', { qos: 1, retain: true });
    await pause(50);
    expect(inbox.messages).toEqual([]);
    transports.takeUplinks(true);
    await inbox.count(1);
    await second.publishAsync(state(OTHER_MAC), 'on', { qos: 1, retain: true });
    await inbox.count(2);
    expect(inbox.messages.map(({ topic, retained }) => [topic, retained])).toEqual([
      [state(MAC), true],
      [state(OTHER_MAC), false],
    ]);
    transports.takeUplinks(false);
    await eventually(() => mosquitto.log.includes('Client headrace-states disconnected'));
    await first.publishAsync(state(MAC), 'off', { qos: 1, retain: true });
    await pause(100);
    // What was said in between is not told late: the last one is, once somebody listens again.
    expect(inbox.messages).toHaveLength(2);
    transports.takeUplinks(true);
    await inbox.count(4);
    expect(inbox.texts.slice(2).toSorted()).toEqual(['off', 'on']);
  });

  it.each([
    { what: 'the name of a server', takes: false, says: /client id twin.*SERVER_NAME/ },
    {
      what: 'the uplinks of another installation',
      takes: true,
      says: /client id headrace-uplinks.*a broker/,
    },
  ])('say so when another client uses $what', async ({ takes, says }) => {
    const mosquitto = await startMosquitto();
    const told: string[] = [];
    const inbox = new Inbox();
    const open = (clientId: string) =>
      createOutsideTransports({
        url: urlOf(mosquitto),
        clientId,
        onOversize: inbox.takeOversize,
        reconnectMs: { min: 20, max: 100 },
        log: (event) => told.push(event),
      });
    const [one, two] = [open('twin'), open(takes ? 'other' : 'twin')];
    for (const transports of [one, two]) {
      await transports.start(inbox.take);
      transports.takeUplinks(takes);
    }
    onTestFinished(async () => void (await Promise.all([one.stop(), two.stop()])));
    await eventually(() => says.test(one.status().trouble ?? ''), 20_000);
    expect(told).toContain('broker client id used twice');
  });
});
