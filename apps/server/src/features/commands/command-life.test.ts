import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '@headrace/contract/permissions';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** One command's life, from the call to the gateway's last answer. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm();
});

const resultsOf = (uid: string) =>
  kit.accountFrames.filter(({ frame }) => frame.type === 'new_action_result' && frame.data.commandId === uid);

describe('a command', () => {
  it('goes to the gateway to the letter and is done only when the gateway says so, each step with its time', async () => {
    const reply = await driver.send('Poll');
    expect(reply.statusCode).toBe(200);
    const { commandId } = reply.json<{ commandId: string; status: string }>();
    expect(reply.json()).toEqual({ commandId, status: 'queued' });
    await driver.reaches(commandId, 'sent');
    expect(driver.messages()).toEqual([
      {
        topic: `headrace/v1/${driver.gateway.mac}/down/cmd`,
        body: {
          cmdId: commandId,
          type: 1,
          mac: driver.units[0]?.mac,
          name: 'U001',
          payload: {},
          expiresAt: '2026-11-20T21:10:00.000Z',
          priority: 2,
          seq: expect.any(Number),
        },
      },
    ]);
    kit.pass(1);
    await driver.answers(commandId, 'accepted');
    kit.pass(1);
    await driver.answers(commandId, 'done');
    const { command, steps, units } = await driver.detail(commandId);
    expect(command).toMatchObject({
      _id: commandId,
      farmUID: driver.farm.uid,
      type: 1,
      title: 'Poll',
      name: 'U001',
      sentBy: 'Olive Owner',
      state: 'done',
      stateAt: '2026-11-20T21:02:00.000Z',
      message: 'Poll: done.',
      total: 1,
      done: 1,
      failed: 0,
    });
    expect(units).toMatchObject([{ state: 'done', at: '2026-11-20T21:02:00.000Z', valve: null }]);
    const ofUnit = steps.filter(({ name }) => name === 'U001');
    expect(ofUnit.map(({ state, at }) => [state, at])).toEqual([
      ['sent', '2026-11-20T21:00:00.000Z'],
      ['accepted', '2026-11-20T21:01:00.000Z'],
      ['done', '2026-11-20T21:02:00.000Z'],
    ]);
    expect(steps.filter(({ name }) => name === null).map(({ state }) => state)).toEqual([
      'queued',
      'sent',
      'accepted',
      'done',
    ]);
  });

  it('that failed shows the reason of the gateway', async () => {
    const uid = await driver.command('Inhibit');
    await driver.answers(uid, 'failed', { error: 'the unit did not answer' });
    const { command, units } = await driver.detail(uid);
    expect(command.message).toBe('Inhibit: failed. The gateway says: the unit did not answer');
    expect(units[0]?.note).toBe('The gateway says: the unit did not answer');
    const [result] = await eventually(() => resultsOf(uid).length > 0 && resultsOf(uid));
    expect(result).toEqual({
      accountId: driver.owner.id,
      frame: {
        type: 'new_action_result',
        data: { message: command.message, type: 'error', farmUID: driver.farm.uid, commandId: uid },
      },
    });
  });

  it("tells its sender with the sender's own words, or nothing where nothing is wanted", async () => {
    const { mac } = driver.units[0] ?? {};
    const loud = await driver.command('Poll', { mac, payload: { resultMessage: 'Unit is fine.' } });
    await driver.answers(loud, 'done');
    const [result] = await eventually(() => resultsOf(loud).length > 0 && resultsOf(loud));
    expect(result?.frame.data).toMatchObject({ type: 'ack', message: 'Unit is fine.' });
    const silent = await driver.command('Poll', { mac, payload: { hideNotification: true } });
    await driver.answers(silent, 'done');
    await driver.reaches(silent, 'done');
    await pause();
    expect(resultsOf(silent)).toEqual([]);
    expect(resultsOf(loud)).toHaveLength(1);
  });

  it('is shown live to those who may read commands of the farm', async () => {
    const uid = await driver.command('Poll');
    await driver.answers(uid, 'done');
    const seen = await eventually(() => {
      const found = kit.events.filter(
        ({ frame }) => frame.type === 'command_update' && frame.data._id === uid,
      );
      return (
        found.some(({ frame }) => frame.type === 'command_update' && frame.data.state === 'done') && found
      );
    });
    for (const event of seen)
      expect(event).toMatchObject({ farmId: driver.farm.id, anyOf: needs.readCommands.anyOf });
  });

  it('is listed newest first, a page at a time', async () => {
    const first = await driver.command('Poll');
    await driver.answers(first, 'done');
    const second = await driver.command('Inhibit');
    const page = (query: object) =>
      kit.server.call('GET /commands', {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid, ...query },
      });
    const newest = await page({ limit: '1' });
    expect(newest.json()).toMatchObject({ commands: [{ _id: second, state: 'sent' }], more: true });
    const older = await page({ limit: '1', before: second });
    expect(older.json()).toMatchObject({ commands: [{ _id: first, state: 'done' }], more: false });
  });
});

describe('a Valve On', () => {
  const limitSent = () => driver.messages('cmd').at(-1)?.body['maxOpenMinutes'];

  it("carries the longest watering of the farm's current set", async () => {
    const set = await buildScheduleSet(kit.server.database.db, driver.farm.id, driver.units, [
      { start: 60, duration: 45, cycle: 1 },
      { start: 600, duration: 95, cycle: 2 },
    ]);
    const plan = await driver.command('SendScheduleSet', { payload: { setUID: set } });
    await driver.answers('set-1', 'done', { mac: driver.units[0]?.mac ?? '' });
    await driver.reaches(plan, 'done');
    const uid = await driver.command('ValveOn');
    expect(limitSent()).toBe(95);
    expect((await driver.detail(uid)).command.maxOpenMinutes).toBe(95);
  });

  it('carries 60 minutes without a set, and what its sender gave before all', async () => {
    const uid = await driver.command('ValveOn');
    expect(limitSent()).toBe(60);
    await driver.answers(uid, 'done');
    await driver.command('ValveOn', { mac: driver.units[0]?.mac, payload: { maxOpenMinutes: 20 } });
    expect(limitSent()).toBe(20);
  });
});

describe('answers in any order', () => {
  it('a done that comes before the command is marked as sent stays', async () => {
    let answered: Promise<void> | undefined;
    kit.broker.take = async () => {
      const uid = await eventually(async () => {
        const reply = await kit.server.call('GET /commands', {
          headers: driver.headers,
          query: { farmUID: driver.farm.uid },
        });
        return reply.json<{ commands: { _id: string }[] }>().commands[0]?._id;
      });
      answered ??= driver.answers(uid, 'done');
      await answered;
    };
    const uid = await driver.queue('Poll');
    const { steps } = await driver.reaches(uid, 'done');
    kit.broker.take = async () => {};
    await pause();
    expect((await driver.detail(uid)).command.state).toBe('done');
    expect(steps.map(({ state }) => state)).not.toContain('sent');
  });

  it('what was said once is not changed by what is said later', async () => {
    const uid = await driver.command('Poll');
    await driver.answers(uid, 'done');
    await driver.answers(uid, 'failed', { error: 'late' });
    await driver.answers(uid, 'accepted');
    const { command, steps } = await driver.detail(uid);
    expect(command.state).toBe('done');
    expect(steps.filter(({ name }) => name !== null).map(({ state }) => state)).toEqual(['sent', 'done']);
  });
});
