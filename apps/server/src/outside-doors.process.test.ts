import { describe, expect, it, onTestFinished } from 'vitest';
import {
  eventually,
  Inbox,
  KEY,
  MAC,
  OTHER_MAC,
  pause,
  signIn,
  startDoor,
  up,
} from './mqtt/testing/door-kit.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from './mqtt/testing/mosquitto.ts';
import { createOutsideDoors } from './outside-doors.ts';

const urlOf = ({ serverPort }: Mosquitto) => `mqtt://headrace:${KEY}@127.0.0.1:${serverPort}`;

async function openDoors(
  mosquitto: Mosquitto,
  clientId: string,
  inbox = new Inbox(),
  adoptWithinMs = 20_000,
) {
  const doors = createOutsideDoors({
    url: urlOf(mosquitto),
    clientId,
    onOversize: inbox.takeOversize,
    stopWithinMs: 200,
    adoptWithinMs,
  });
  await startDoor(doors, inbox);
  await eventually(() => doors.status().connected);
  return { doors, inbox };
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

describe.skipIf(!hasMosquitto)('the doors to an outside broker', () => {
  it('share what devices say, each message to one server', async () => {
    const mosquitto = await startMosquitto();
    const [a, b] = [await openDoors(mosquitto, 'a'), await openDoors(mosquitto, 'b')];
    await publishMany(mosquitto, 100);
    await eventually(() => a.inbox.messages.length + b.inbox.messages.length === 100);
    expect([a.inbox.messages.length, b.inbox.messages.length]).toEqual([50, 50]);
    expect(numbersIn(a.inbox, b.inbox)).toEqual(upTo(100));
  });

  it('take over what Mosquitto goes on keeping for a dead server, unacknowledged messages included', async () => {
    const mosquitto = await startMosquitto();
    const b = await openDoors(mosquitto, 'b');
    const dying = new Inbox();
    dying.isAutomatic = false;
    const a = await openDoors(mosquitto, 'a', dying);
    await publishMany(mosquitto, 40);
    await dying.count(20);
    await a.doors.stop();
    await publishMany(mosquitto, 40, 40);
    await b.inbox.count(40);
    await pause(100);
    // Half of what came since waits for a, which is gone.
    expect(b.inbox.messages.length).toBe(40);
    expect(await b.doors.adopt('a')).toBe(true);
    expect(numbersIn(b.inbox)).toEqual(upTo(80));
    await publishMany(mosquitto, 40, 80);
    await b.inbox.count(120);
    expect(numbersIn(b.inbox)).toEqual(upTo(120));
  });

  it('give the share back to a server that returns', async () => {
    const mosquitto = await startMosquitto();
    const b = await openDoors(mosquitto, 'b');
    await (await openDoors(mosquitto, 'a')).doors.stop();
    expect(await b.doors.adopt('a')).toBe(true);
    const back = await openDoors(mosquitto, 'a');
    await publishMany(mosquitto, 40);
    await eventually(() => back.inbox.messages.length === 20 && b.inbox.messages.length === 20);
  });

  it('leave for the next try what can not be stored now', async () => {
    const mosquitto = await startMosquitto();
    await (await openDoors(mosquitto, 'a')).doors.stop();
    await publishMany(mosquitto, 3);
    const slow = new Inbox();
    const b = await openDoors(mosquitto, 'b', slow, 2_000);
    slow.isAutomatic = false;
    const first = b.doors.adopt('a');
    await slow.count(3);
    expect(await first).toBe(false);
    slow.isAutomatic = true;
    expect(await b.doors.adopt('a')).toBe(true);
    expect(slow.texts).toHaveLength(6);
  });

  it('hear states while they are to, beginning with the last of each gateway', async () => {
    const mosquitto = await startMosquitto();
    const { doors, inbox } = await openDoors(mosquitto, 'a');
    const state = (mac: string) => `headrace/v1/${mac}/state`;
    const [first, second] = [await signIn(mosquitto.port, MAC), await signIn(mosquitto.port, OTHER_MAC)];
    await first.publishAsync(state(MAC), 'off', { qos: 1, retain: true });
    await first.publishAsync(state(MAC), 'on', { qos: 1, retain: true });
    await pause(50);
    expect(inbox.messages).toEqual([]);
    doors.listenToStates(true);
    await inbox.count(1);
    await second.publishAsync(state(OTHER_MAC), 'on', { qos: 1, retain: true });
    await inbox.count(2);
    expect(inbox.messages.map(({ topic, retained }) => [topic, retained])).toEqual([
      [state(MAC), true],
      [state(OTHER_MAC), false],
    ]);
    doors.listenToStates(false);
    await eventually(() => mosquitto.log.includes('Client a-states disconnected'));
    await first.publishAsync(state(MAC), 'off', { qos: 1, retain: true });
    await pause(100);
    // What was said in between is not told late: the last one is, once somebody listens again.
    expect(inbox.messages).toHaveLength(2);
    doors.listenToStates(true);
    await inbox.count(4);
    expect(inbox.texts.slice(2).toSorted()).toEqual(['off', 'on']);
  });

  it('give up what an earlier server had asked for without sharing', async () => {
    const mosquitto = await startMosquitto();
    const former = await signIn(mosquitto.serverPort, 'headrace', { clientId: 'a', clean: false });
    await former.subscribeAsync(['headrace/v1/+/up/#', 'headrace/v1/+/state'], { qos: 1 });
    await former.endAsync();
    const { inbox } = await openDoors(mosquitto, 'a');
    await publishMany(mosquitto, 5);
    await inbox.count(5);
    await pause(100);
    expect(numbersIn(inbox)).toEqual(upTo(5));
  });

  it('say so when another client uses the same id', async () => {
    const mosquitto = await startMosquitto();
    const told: string[] = [];
    const inbox = new Inbox();
    const open = () =>
      createOutsideDoors({
        url: urlOf(mosquitto),
        clientId: 'twin',
        onOversize: inbox.takeOversize,
        log: (event) => told.push(event),
      });
    const [one, two] = [open(), open()];
    await one.start(inbox.take);
    await two.start(inbox.take);
    onTestFinished(async () => void (await Promise.all([one.stop(), two.stop()])));
    await eventually(() => /client id twin.*SERVER_NAME/.test(one.status().trouble ?? ''), 20_000);
    expect(told).toContain('broker client id used twice');
  });
});
