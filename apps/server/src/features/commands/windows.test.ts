import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Sends to many units go out a few at a time, as fast as they are answered. */
let kit: CommandsKit;
let driver: FarmDriver;
let setUID: string;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(() => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
});

/** A farm whose units take so many seconds each: at 12 s a gateway is given 10 at a time. */
async function farmOf(units: number, secondsEach: number | null = 12): Promise<void> {
  driver = await kit.farm({ units, secondsEach });
  setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, driver.units, entries);
}
const send = () => driver.command('SendScheduleSet', { payload: { setUID } });
const macsOf = (body: Record<string, unknown>) =>
  (body['units'] as { mac: string }[]).map((unit) => unit.mac);
const sent = () => driver.messages('schedules').map(({ body }) => [body['rev'], macsOf(body).length]);
const macs = () => driver.messages('schedules').flatMap(({ body }) => macsOf(body));
const cancel = (commandId: string, type = 10) =>
  kit.server.call('POST /commands/cancel', {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, commandId, type },
  });
async function answer(rev: number, count: number, from = 0): Promise<void> {
  for (const mac of macs().slice(from, from + count)) {
    kit.pass(0.2);
    await driver.answers(`set-${rev}`, 'done', { mac });
  }
}

describe('a send to many units', () => {
  it('gives a gateway two minutes of work at a time, and more when half of it is done', async () => {
    await farmOf(30);
    await send();
    expect(sent()).toEqual([[1, 10]]);
    await answer(1, 4);
    await kit.tick();
    expect(sent()).toEqual([[1, 10]]);
    await answer(1, 1, 4);
    await eventually(() => sent().length === 2);
    expect(sent()).toEqual([
      [1, 10],
      [2, 5],
    ]);
    expect(new Set(macs()).size).toBe(15);
  });

  it('says how many units a minute answer it, once that is known and until they have gone silent', async () => {
    await farmOf(30, 1);
    const uid = await send();
    const perMinute = async () => (await driver.detail(uid)).perMinute;
    await answer(1, 10);
    expect(await perMinute()).toBeNull();
    // Ten gaps of 12 s.
    await answer(1, 1, 10);
    expect(await perMinute()).toBe(5);
    kit.pass(2.1);
    expect(await perMinute()).toBeNull();
  });

  it('of which nothing is known begins with two units', async () => {
    await farmOf(10, null);
    await send();
    expect(sent()).toEqual([[1, 2]]);
  });

  it('reaches all 930, each once, whoever of two servers sends', { timeout: 120_000 }, async () => {
    await farmOf(930, 1);
    const uid = await send();
    const other = await kit.another();
    let done = 0;
    while (done < 930) {
      await eventually(() => macs().length > done);
      const now = driver
        .messages('schedules')
        .flatMap(({ body }) => macsOf(body).map((mac) => ({ mac, rev: Number(body['rev']) })));
      kit.pass(0.5);
      await Promise.all(now.slice(done).map(({ mac, rev }) => driver.answers(`set-${rev}`, 'done', { mac })));
      done = now.length;
      await Promise.all([kit.tick(), other.tick()]);
    }
    expect(new Set(macs()).size).toBe(930);
    expect(macs()).toHaveLength(930);
    expect((await driver.detail(uid)).command).toMatchObject({ state: 'done', done: 930 });
    await other.close();
  });

  it('cancelled takes back all but what the gateway has', async () => {
    await farmOf(50);
    const uid = await send();
    await answer(1, 3);
    expect((await driver.detail(uid)).command.finish).not.toBeNull();
    expect((await cancel(uid)).json()).toEqual({ cancelled: 40 });
    // Who it was is told, also to whoever sent it; when all would be done was reckoned with those that are taken back.
    const { command, units } = await driver.detail(uid);
    const notes = units.filter(({ state }) => state === 'cancelled').map(({ note }) => note);
    expect(new Set(notes)).toEqual(new Set(['Cancelled before it was sent.']));
    expect(command.cancelledBy).toBe(driver.owner.name);
    expect(command.finish).toBeNull();
    await answer(1, 7, 3);
    await kit.tick();
    expect(sent()).toEqual([[1, 10]]);
    expect((await driver.detail(uid)).command).toMatchObject({
      state: 'cancelled',
      done: 10,
      message: 'Send Schedules: cancelled; 10 of 50 done.',
    });
  });

  it('goes on in the same window after a hello, under the same number', async () => {
    await farmOf(30);
    await send();
    await answer(1, 2);
    const restarted = await kit.another();
    await restarted.commands.hello({ farmId: driver.farm.id, gatewayId: driver.gateway.id });
    expect(sent()).toEqual([
      [1, 10],
      [1, 8],
    ]);
    await restarted.close();
  });

  it('waits with its window for a gateway that is away, and sends it anew when it is back', async () => {
    await farmOf(30);
    const uid = await send();
    const setOnline = (online: boolean) =>
      kit.server.database.db
        .updateTable('gateway_state')
        .set({ online })
        .where('device_id', '=', driver.gateway.id)
        .execute();
    await setOnline(false);
    kit.pass(60);
    await kit.tick();
    expect((await driver.detail(uid)).unitStates).toEqual({ queued: 20, sent: 10 });
    await driver.hello();
    await eventually(() => sent().length === 2);
    // Three minutes for each of its units, from now on.
    expect(driver.messages('schedules')[1]?.body['expiresAt']).toBe('2026-11-20T22:30:00.000Z');
    await setOnline(true);
  });

  it('does not stand still where a gateway that is there never answers', async () => {
    await farmOf(30);
    const uid = await send();
    kit.pass(30);
    await kit.tick();
    await eventually(() => sent().length === 2);
    expect((await driver.detail(uid)).unitStates).toEqual({ queued: 10, sent: 10, expired: 10 });
  });

  it('to units that hold it already goes on with the others at once', async () => {
    await farmOf(30);
    const crc = (await sendOnce()) as string;
    for (const unit of driver.units.slice(0, 12))
      await driver.reportsSchedule(unit, { ipcCrc: crc, cycleLen: 1 });
    kit.pass(20);
    await send();
    await eventually(() => sent().length === 1);
    // The first twelve hold it.
    expect(sent()).toEqual([[2, 10]]);
    expect(new Set(macs())).toEqual(new Set(driver.units.slice(12, 22).map((unit) => unit.mac)));
  });

  it('says of those that hold it already at once that it does not go to them, and is done when its plan said', async () => {
    await farmOf(30);
    const crc = (await sendOnce()) as string;
    // Their turn would come after that of the first ten.
    for (const unit of driver.units.slice(15, 27))
      await driver.reportsSchedule(unit, { ipcCrc: crc, cycleLen: 1 });
    kit.pass(20);
    const { farm, headers } = driver;
    const body = { farmUID: farm.uid, type: commandTypes.SendScheduleSet, mac: '-', payload: { setUID } };
    const plan = (await kit.server.call('POST /commands/plan', { headers, body })).json() as SendPlan;
    expect(plan).toMatchObject({ total: 30, inStep: 12, toDo: 18 });
    const uid = await send();
    // What was withdrawn before is told first, by a set without units.
    await eventually(() => macs().length === 10);
    const { command, unitStates } = await driver.detail(uid);
    expect(unitStates).toEqual({ queued: 8, sent: 10, skipped: 12 });
    expect(command).toMatchObject({ total: 30, done: 12, hadIt: 12, leftOut: 0 });
    expect(command.message).toBe('Send Schedules: 0 of 18 done; 12 had it already.');
    expect(command.finish).toEqual(plan.finish);
    expect(command.firstFinish).toEqual(plan.finish);
  });

  /** The checksum of the set; the send itself is taken back. */
  async function sendOnce(): Promise<unknown> {
    const uid = await send();
    const [first] = driver.messages('schedules').flatMap(({ body }) => body['units'] as { crc: string }[]);
    const crc = first?.crc;
    await cancel(uid);
    await answer(1, 10);
    kit.published.length = 0;
    kit.pass(20);
    return crc;
  }
});

describe('when it will be done', () => {
  const finish = async (uid: string) => (await driver.detail(uid)).command.finish;

  it('is a range from how fast its units answer, and follows them', async () => {
    await farmOf(30);
    const uid = await send();
    // 30 units at 12 s.
    expect(await finish(uid)).toEqual({
      expected: '2026-11-20T21:06:00.000Z',
      low: '2026-11-20T21:06:00.000Z',
      high: '2026-11-20T21:06:00.000Z',
    });
    // Seven answers, a minute each: 23 left, at (24 × 12 + 6 × 60) ÷ 30 = 21.6 s; the slowest ten took (6 × 60 + 4 × 12) ÷ 10.
    for (const mac of macs().slice(0, 7)) {
      kit.pass(1);
      await driver.answers('set-1', 'done', { mac });
      // Each answer has its turn of sending by itself, so that the last one alone makes room.
      await kit.server.commands.done();
    }
    const { command } = await eventually(async () => {
      const found = await driver.detail(uid);
      return found.unitStates.sent === 6 && found;
    });
    expect(command.firstFinish).toMatchObject({ expected: '2026-11-20T21:06:00.000Z' });
    expect(command.finish).toEqual({
      expected: '2026-11-20T21:15:16.800Z',
      low: '2026-11-20T21:11:36.000Z',
      high: '2026-11-20T21:22:38.400Z',
    });
  });

  it('is said as "at most" while too few answers are known', async () => {
    await farmOf(30, null);
    const uid = await send();
    expect(await finish(uid)).toEqual({ atMost: '2026-11-20T22:30:00.000Z' });
  });
});

/** At 60 s each a gateway is given two at a time. */
describe('a poll of units that are being polled already', () => {
  let groupUID: string;
  let older: string;
  const asked = () =>
    driver.messages('cmd').flatMap(({ body }) => (body['payload'] as { macs: string[] }).macs);
  const macOf = (number: number) => driver.units[number - 1]?.mac ?? '';
  const pollFarm = () => driver.queue('PollGroup', { payload: { groupUID: 'FARM' } });
  const planOf = async () =>
    (
      await kit.server.call('POST /commands/plan', {
        headers: driver.headers,
        body: { farmUID: driver.farm.uid, type: commandTypes.PollGroup, payload: { groupUID: 'FARM' } },
      })
    ).json<SendPlan>();
  const statesOf = async (commandId: string) =>
    (await driver.detail(commandId)).units
      .map(({ name, state, note }) => [name, state, note])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b));
  const joined = 'Was being polled already: an answer to that counts here too.';
  beforeEach(async () => {
    await farmOf(6, 60);
    groupUID = await buildGroup(kit.server.database.db, driver.farm.id, 'North', driver.units.slice(0, 4));
    older = await driver.command('PollGroup', { payload: { groupUID } });
    kit.pass(1);
  });

  it('is planned and reckoned for the others alone, and says so', async () => {
    const plan = await planOf();
    expect([plan.total, plan.toDo]).toEqual([6, 2]);
    expect(plan.findings).toContainEqual({
      kind: 'polledAlready',
      text: '4 of 6 are being polled already: what they answer counts here too.',
      count: 4,
      names: [],
    });
    // Six minutes from 21:01: four of the older one, and two.
    const finish = { expected: '2026-11-20T21:07:00.000Z' };
    expect(plan.finish).toMatchObject(finish);
    const { command } = await driver.detail(await pollFarm());
    expect(command.firstFinish).toMatchObject(finish);
    // A third one has nothing of its own to do: nor does it count the four twice.
    expect(await planOf()).toMatchObject({
      toDo: 0,
      finish,
      ahead: [
        'Poll Group, North, sent by Olive Owner: 4 sprinklers',
        'Poll Group, Whole farm, sent by Olive Owner: 2 sprinklers',
      ],
    });
  });

  it('is told when what it waits for will be done, also where it asks nobody itself', async () => {
    const farm = await pollFarm();
    const group = await driver.queue('PollGroup', { payload: { groupUID } });
    const finishes = () =>
      Promise.all(
        [older, farm, group].map(async (uid) => {
          const { finish } = (await driver.detail(uid)).command;
          return finish && 'expected' in finish ? finish.expected.slice(11, 16) : finish;
        }),
      );
    // The older one was told at 21:00. Of six the group's are the first four.
    expect(await finishes()).toEqual(['21:04', '21:07', '21:05']);
    for (const number of [1, 2]) {
      kit.pass(2);
      await driver.answers(older, 'done', { mac: macOf(number) });
      await eventually(() => asked().length === 2 + number);
    }
    // At 21:05 two of the older one are left, and two of the farm's, at (29 × 60 + 120) ÷ 30 = 62 s.
    await eventually(async () => (await finishes())[2] === '21:07');
    expect(await finishes()).toEqual(['21:07', '21:09', '21:07']);
  });

  it('ends with what they answer to the older one, and asks none of them twice', async () => {
    const newer = await pollFarm();
    expect(await statesOf(newer)).toEqual([
      ['U001', 'queued', joined],
      ['U002', 'queued', joined],
      ['U003', 'queued', joined],
      ['U004', 'queued', joined],
      ['U005', 'queued', ''],
      ['U006', 'queued', ''],
    ]);
    await driver.answers(older, 'done', { mac: macOf(1) });
    await driver.answers(older, 'failed', { mac: macOf(2), error: 'No answer.' });
    expect((await statesOf(newer)).slice(0, 3)).toEqual([
      ['U001', 'done', 'It answered another poll, so it was not asked again.'],
      ['U002', 'failed', 'It was not asked again: the poll that was under way already failed.'],
      ['U003', 'queued', joined],
    ]);
    await eventually(() => asked().length === 4);
    const { command } = await driver.reaches(newer, 'progress');
    expect([command.done, command.failed]).toEqual([1, 1]);
    expect(asked()).toEqual([1, 2, 3, 4].map(macOf));
  });

  it('asks those itself that the older one is taken back for', async () => {
    const newer = await pollFarm();
    expect((await cancel(older, commandTypes.PollGroup)).json()).toEqual({ cancelled: 2 });
    expect((await statesOf(newer)).map(([, state]) => state)).toEqual(
      Array.from({ length: 6 }, () => 'queued'),
    );
    for (const number of [1, 2]) await driver.answers(older, 'done', { mac: macOf(number) });
    await eventually(async () => (await driver.detail(newer)).unitStates.sent === 2);
    expect(asked()).toEqual([1, 2, 3, 4].map(macOf));
    expect((await statesOf(newer)).slice(2, 4)).toEqual([
      ['U003', 'sent', ''],
      ['U004', 'sent', ''],
    ]);
  });

  it('asks those itself that gave the older one no answer in time', async () => {
    const newer = await pollFarm();
    // Two at a time have six minutes, and four of a group twelve; six of the farm have until 21:19.
    for (let minute = 0; minute < 13; minute += 1) {
      kit.pass(1);
      await kit.tick();
    }
    await driver.reaches(older, 'expired');
    await eventually(async () => (await driver.detail(newer)).unitStates.sent === 2);
    expect(asked().slice(-2)).toEqual([macOf(1), macOf(2)]);
  });

  it('takes no answer that was given before it was asked for', async () => {
    const before = kit.clock.now.toISOString();
    kit.pass(1);
    const newer = await pollFarm();
    await driver.answers(older, 'done', { mac: macOf(1), at: before });
    expect((await statesOf(newer))[0]).toEqual(['U001', 'queued', joined]);
  });
});
