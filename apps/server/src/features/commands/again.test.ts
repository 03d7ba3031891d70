import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { setAckId } from '@headrace/device/commands';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Units that failed are tried again, as a new command for them alone. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 3 });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
});

const again = (name: CommandName, commandId: string, more: object = {}) =>
  kit.server.call('POST /commands/again', {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, commandId, type: commandTypes[name], ...more },
  });

/** Sends it; the first unit does it, the others fail. */
async function sendAndFail(name: CommandName, payload: object): Promise<string> {
  const uid = await driver.command(name, { payload });
  const rev = driver.messages('schedules').at(-1)?.body['rev'];
  const cmdId = name === 'SendScheduleSet' ? setAckId(Number(rev)) : uid;
  const [first, ...others] = driver.units;
  await driver.answers(cmdId, 'done', { mac: first?.mac ?? '' });
  for (const { mac } of others)
    await driver.answers(cmdId, 'failed', { mac: mac ?? '', error: 'No answer.' });
  return uid;
}
const said = (reply: LightMyRequestResponse) => [
  reply.statusCode,
  reply.json<{ errorMessage: string }>().errorMessage,
];

describe('sent again', () => {
  it('is a new command to those that failed, and to them alone', async () => {
    const uid = await sendAndFail('PollGroup', { groupUID });
    const reply = await again('PollGroup', uid);
    expect(reply.statusCode).toBe(200);
    const { command, units, steps } = await driver.reaches(
      reply.json<{ commandId: string }>().commandId,
      'sent',
    );
    expect(command._id).not.toBe(uid);
    expect([command.name, command.total]).toEqual(['2 of North', 2]);
    expect(units.map(({ name }) => name)).toEqual(['U002', 'U003']);
    expect(steps[0]?.note).toBe('Sent again, to those that failed or ran out of time before.');
  });

  it('keeps for how long a valve may be open, and one tap is one command', async () => {
    const uid = await sendAndFail('TurnGroupValvesOn', { groupUID, maxOpenMinutes: 45 });
    const replies = [];
    for (let tap = 0; tap < 2; tap += 1)
      replies.push(await again('TurnGroupValvesOn', uid, { requestId: 'one-tap-0001' }));
    const ids = new Set(replies.map((reply) => reply.json<{ commandId: string }>().commandId));
    expect(ids.size).toBe(1);
    const { command } = await driver.reaches([...ids][0] ?? '', 'sent');
    expect([command.maxOpenMinutes, command.total]).toEqual([45, 2]);
  });

  it('leaves out who was sent another schedule since', async () => {
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    const uid = await sendAndFail('SendScheduleSet', { setUID });
    const newer = await buildScheduleSet(db(), driver.farm.id, driver.units, [
      { start: 120, duration: 30, cycle: 1 },
    ]);
    const serialNumbers = [driver.units[1]?.serial_number];
    await driver.command('UpdateSchedule', { payload: { setUID: newer, serialNumbers } });
    const reply = await again('SendScheduleSet', uid);
    const { units } = await driver.reaches(reply.json<{ commandId: string }>().commandId, 'sent');
    expect(units.map(({ name }) => name)).toEqual(['U003']);
  });

  it('is refused when none has failed, and a day after it ended', async () => {
    const all = await driver.command('PollGroup', { payload: { groupUID } });
    for (const { mac } of driver.units) await driver.answers(all, 'done', { mac: mac ?? '' });
    expect(said(await again('PollGroup', all))).toEqual([
      409,
      'No sprinkler is left that failed and that this command is still meant for.',
    ]);
    const uid = await sendAndFail('PollGroup', { groupUID });
    await db()
      .updateTable('command')
      .set({ state_at: new Date(kit.clock.now.getTime() - (24 * 60 + 1) * 60_000) })
      .where('uid', '=', uid)
      .execute();
    expect(said(await again('PollGroup', uid))).toEqual([
      409,
      'This command is older than a day. Please plan and send it anew.',
    ]);
  });

  it('is not for a command of another type, or for what a gateway does', async () => {
    const uid = await sendAndFail('PollGroup', { groupUID });
    expect((await again('TurnGroupValvesOff', uid)).statusCode).toBe(404);
    const time = await driver.command('IncTimeSet', {});
    expect(said(await again('IncTimeSet', time))[0]).toBe(409);
  });
});
