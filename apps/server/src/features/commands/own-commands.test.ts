import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmHand } from './testing/farm-hand.ts';

/** What the server sends of its own accord. */
let kit: CommandsKit;
let hand: FarmHand;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  hand = await kit.farm({ units: 2 });
});

const call = (key: string, body: object) => kit.server.call(key, { headers: hand.headers, body });
const log = async () =>
  (
    await kit.server.call('GET /commands', { headers: hand.headers, query: { farmUID: hand.farm.uid } })
  ).json<{
    commands: Command[];
  }>().commands;
const edit = (channel: number) => {
  const [unit] = hand.units;
  return call('PUT /ipc', {
    id: unit?.uid,
    name: unit?.name,
    channel,
    serialNumber: unit?.serial_number || 'IPC-1',
    macAddress: unit?.mac,
  });
};
/** Turns of the clock every five seconds. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    kit.pass(5 / 60);
    await kit.tick();
  }
}
const listsSent = () => hand.messages('ipc-list').map(({ body }) => body['rev']);

describe('the list of sprinklers', () => {
  it('is sent by itself a minute after its last change, and commands go again', async () => {
    expect((await edit(7)).statusCode).toBe(200);
    await pass(40);
    await edit(8);
    await pass(55);
    expect(await log()).toEqual([]);
    expect((await hand.send('Poll')).statusCode).toBe(466);
    await pass(15);
    const [command] = await log();
    expect(command).toMatchObject({
      type: commandTypes.UpdateINCList,
      title: 'Send Sprinklers List',
      name: hand.gateway.name,
      sentBy: '',
      isAutomatic: true,
    });
    const [rev] = listsSent();
    await hand.answers(`list-${String(rev)}`, 'done');
    expect((await log())[0]?.state).toBe('done');
    expect((await hand.send('Poll')).statusCode).toBe(200);
    await pass(120);
    expect(listsSent()).toHaveLength(1);
  });

  it('is not sent while one is under way', async () => {
    await edit(7);
    await kit.tick();
    await hand.command('UpdateINCList', {});
    await pass(120);
    expect(listsSent()).toHaveLength(1);
  });

  /** Lists that went out, each with its minute, while `minutes` pass and `each` happens every half minute. */
  async function sendingsOver(minutes: number, each: () => Promise<unknown>): Promise<number[]> {
    const start = kit.clock.now.getTime();
    const sent: number[] = [];
    for (let turn = 0; turn < minutes * 2; turn += 1) {
      const before = listsSent().length;
      await kit.tick();
      for (let more = listsSent().length - before; more > 0; more -= 1)
        sent.push((kit.clock.now.getTime() - start) / 60_000);
      await each();
      kit.pass(0.5);
    }
    return sent;
  }
  const refuse = async () => {
    const [command] = await log();
    if (command?.state === 'sent')
      await hand.answers(`list-${String(listsSent().at(-1))}`, 'failed', { error: 'no room' });
  };

  it('that a gateway refuses goes again after minutes, more with each, and never floods it', async () => {
    await edit(7);
    const sent = await sendingsOver(75, refuse);
    expect(sent).toEqual([1, 2, 4, 9, 19, 34, 49, 64]);
    // It starts anew: perhaps it has room now.
    await hand.hello({ listRev: 1 });
    expect(await sendingsOver(0.5, refuse)).toHaveLength(1);
  });

  it('that a gateway lost by starting anew goes at once, and commands go again', async () => {
    await edit(7);
    await pass(70);
    const rev = Number(listsSent()[0]);
    await hand.answers(`list-${rev}`, 'done');
    kit.pass(60);
    await hand.hello({ listRev: 0 });
    expect((await hand.send('Poll')).statusCode).toBe(466);
    await kit.tick();
    expect(listsSent()).toEqual([rev, rev]);
    await hand.answers(`list-${rev}`, 'done');
    expect((await hand.send('Poll')).statusCode).toBe(200);
    // One that starts over and over, and loses it each time.
    const again = await sendingsOver(30, async () => {
      await hand.answers(`list-${rev}`, 'done');
      kit.pass(1 / 60);
      await hand.hello({ listRev: 0 });
    });
    expect(again.length).toBeLessThanOrEqual(9);
    expect(again.length).toBeGreaterThanOrEqual(4);
  });

  it('that a gateway never answered goes again with its next word', async () => {
    await edit(7);
    await pass(70);
    expect(listsSent()).toHaveLength(1);
    kit.pass(10);
    await kit.tick();
    expect((await log())[0]?.state).toBe('expired');
    await hand.says('status', { at: kit.clock.now.toISOString(), settings: {}, info: {}, data: {} });
    await kit.tick();
    kit.pass(1 / 60);
    await hand.says('status', { at: kit.clock.now.toISOString(), settings: {}, info: {}, data: {} });
    await kit.tick();
    expect(listsSent()).toHaveLength(2);
    // Silent for three hours: each has its ten minutes, then there is a wait.
    const sent = await sendingsOver(180, async () => {});
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(sent.length).toBeLessThanOrEqual(9);
  });

  it('waits for a gateway that is away, and goes to it once it is back', async () => {
    await edit(7);
    const online = (is: boolean) =>
      kit.server.database.db
        .updateTable('gateway_state')
        .set({ online: is })
        .where('device_id', '=', hand.gateway.id)
        .execute();
    await online(false);
    await pass(180);
    expect(await log()).toEqual([]);
    await online(true);
    await pass(70);
    expect(listsSent()).toHaveLength(1);
  });

  it('is queued once by two servers', async () => {
    const other = await kit.another();
    await edit(7);
    for (let turn = 0; turn < 15; turn += 1) {
      kit.pass(5 / 60);
      await Promise.all([kit.tick(), other.tick()]);
    }
    expect(await log()).toHaveLength(1);
    await other.close();
  });
});

describe('a unit that is marked to be set up anew', () => {
  const mark = (status = true) => call('PUT /ipc/flag-reconfigure', { deviceId: hand.units[0]?.uid, status });
  const unit = async () =>
    (
      await kit.server.call('GET /ipc', {
        headers: hand.headers,
        query: { deviceId: hand.units[0]?.uid ?? '' },
      })
    ).json<Ipc>();
  const heard = async () => {
    const [first] = hand.units;
    if (first) await hand.reportsSchedule(first, { ipcCrc: 'AA:BB' });
  };

  it('is asked to once it is heard, and the mark goes when it is done', async () => {
    await heard();
    kit.pass(5);
    await mark();
    await pass(60);
    expect(await log()).toEqual([]);
    await heard();
    await pass(90);
    const commands = await log();
    expect(commands).toMatchObject([
      { type: commandTypes.IpcReconfigure, serialNumber: hand.units[0]?.serial_number, isAutomatic: true },
    ]);
    expect((await unit()).reconfigure).toBe(true);
    const uid = commands[0]?._id ?? '';
    await eventually(() => hand.messages('cmd').length > 0);
    expect(
      hand.messages('cmd').map(({ body }) => [body['cmdId'], body['type'], body['mac'], body['payload']]),
    ).toEqual([[uid, commandTypes.IpcReconfigure, hand.units[0]?.mac, {}]]);
    await hand.answers(uid, 'done', { mac: hand.units[0]?.mac ?? '' });
    expect((await unit()).reconfigure).toBe(false);
    await heard();
    await pass(90);
    expect(await log()).toHaveLength(1);
  });

  it('is not asked twice for one mark, but again for another', async () => {
    await mark();
    kit.pass(1);
    await heard();
    await pass(60);
    const [first] = await log();
    await hand.answers(first?._id ?? '', 'failed', { error: 'no answer from the unit' });
    await heard();
    await pass(60);
    expect(await log()).toHaveLength(1);
    expect((await unit()).reconfigure).toBe(true);
    await mark(false);
    await mark();
    kit.pass(1);
    await heard();
    await pass(60);
    expect(await log()).toHaveLength(2);
  });

  it('keeps a mark that was set after the command was made', async () => {
    const uid = await hand.command('IpcReconfigure');
    kit.pass(1);
    await mark();
    await hand.answers(uid, 'done');
    expect((await unit()).reconfigure).toBe(true);
  });
});
