import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FailedCommand } from '@headrace/contract/attention';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { setAckId } from '@headrace/device/commands';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { forgetOldCommands } from './commands.repo.ts';
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

/** A command that ended badly needs the attention of everybody who has not seen it. */
describe('what ended badly', () => {
  async function guest(since = new Date('2026-11-01T00:00:00Z')): Promise<Record<string, string>> {
    const account = await buildAccount(db(), { type: 'AGENT' });
    const { id } = await buildShare(db(), driver.farm.id, account.id);
    await db().updateTable('share').set({ answered_at: since }).where('id', '=', id).execute();
    return kit.server.signIn(account);
  }
  const endedDaysAgo = (uid: string, days: number) =>
    db()
      .updateTable('command')
      .set({ state_at: new Date(kit.clock.now.getTime() - days * 86_400_000) })
      .where('uid', '=', uid)
      .execute();
  async function unseen(headers = driver.headers): Promise<FailedCommand[]> {
    const query = { farmUID: driver.farm.uid };
    const reply = await kit.server.call('GET /commands/unseen', { headers, query });
    expect(reply.statusCode).toBe(200);
    return reply.json<{ commands: FailedCommand[] }>().commands;
  }
  const see = (commandId: string, headers = driver.headers) =>
    kit.server.call('POST /commands/seen', { headers, body: { farmUID: driver.farm.uid, commandId } });
  const ids = (commands: readonly FailedCommand[]) => commands.map(({ _id }) => _id);
  const answerAll = async (commandId: string, state: 'done' | 'failed', from = 0) => {
    for (const { mac } of driver.units.slice(from))
      await driver.answers(commandId, state, { mac: mac ?? '', ...(state === 'failed' && { error: 'No.' }) });
  };
  const sendAgain = async (name: CommandName, uid: string) => {
    const { commandId } = (await again(name, uid)).json<{ commandId: string }>();
    await driver.reaches(commandId, 'sent');
    return commandId;
  };

  it('is one line for a send, until this person has seen it; whoever has not keeps it', async () => {
    const other = await guest();
    const uid = await sendAndFail('PollGroup', { groupUID });
    const line = {
      _id: uid,
      title: 'Poll Group',
      name: 'North',
      isForGateway: false,
      total: 3,
      failed: 2,
      unanswered: 0,
      leftOut: 0,
    };
    expect(await unseen()).toEqual([line]);
    kit.accountFrames.length = 0;
    await endedDaysAgo(uid, 19);
    expect((await see(uid)).statusCode).toBe(200);
    expect(await unseen()).toEqual([]);
    expect(kit.accountFrames).toEqual([
      {
        accountId: driver.owner.id,
        frame: { type: 'command_seen', data: { farmUID: driver.farm.uid, commandId: uid } },
      },
    ]);
    expect(await unseen(other)).toEqual([line]);
    expect((await see('ffffffffffffffffffffffff')).statusCode).toBe(404);
    expect((await see(uid)).statusCode).toBe(200);
    await endedDaysAgo(uid, 31);
    expect(await unseen(other)).toEqual([]);
    await forgetOldCommands(db(), new Date(kit.clock.now.getTime() + 32 * 86_400_000));
    expect(
      await db().selectFrom('command_seen').selectAll().where('farm_id', '=', driver.farm.id).execute(),
    ).toEqual([]);
  });

  it('is gone for everybody once a try again went well; one that failed too stands in its place', async () => {
    const other = await guest();
    const uid = await sendAndFail('PollGroup', { groupUID });
    // Something else that went well says nothing of it.
    await answerAll(await driver.command('TurnGroupValvesOff', { payload: { groupUID } }), 'done');
    const second = await sendAgain('PollGroup', uid);
    expect(ids(await unseen(other))).toEqual([uid]);
    await answerAll(second, 'failed', 1);
    expect(ids(await unseen(other))).toEqual([second]);
    await see(second);
    expect(await unseen()).toEqual([]);
    await answerAll(await sendAgain('PollGroup', second), 'done', 1);
    expect(await unseen(other)).toEqual([]);
  });

  it('shrinks with an answer that came late after all, and is news again when it ends anew', async () => {
    const uid = await driver.command('PollGroup', { payload: { groupUID } });
    kit.pass(30);
    await kit.tick();
    await driver.reaches(uid, 'expired');
    expect(await unseen()).toMatchObject([{ failed: 0, unanswered: 3 }]);
    await driver.answers(uid, 'done', { mac: driver.units[0]?.mac ?? '' });
    expect(await unseen()).toMatchObject([{ failed: 0, unanswered: 2 }]);
    await see(uid);
    kit.pass(1);
    await answerAll(uid, 'failed', 1);
    expect(await unseen()).toMatchObject([{ failed: 2, unanswered: 0 }]);
    await answerAll(uid, 'done');
    expect(await unseen()).toEqual([]);
  });

  it('says nothing of who left, was replaced or is out of service since', async () => {
    await sendAndFail('PollGroup', { groupUID });
    const [, second, third] = driver.units;
    const change = (id: number | undefined, changes: object) =>
      db()
        .updateTable('device')
        .set(changes)
        .where('id', '=', id ?? 0)
        .execute();
    await change(second?.id, { mac: '00A1B2C3D4E5' });
    expect(await unseen()).toMatchObject([{ total: 3, failed: 1 }]);
    await change(third?.id, { settings: JSON.stringify({ outOfService: true }) });
    expect(await unseen()).toEqual([]);
    await change(third?.id, { settings: '{}', deleted_at: kit.clock.now });
    expect(await unseen()).toEqual([]);
  });

  it('says nothing of a schedule that the unit holds after all, nor of one that is not wanted any more', async () => {
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    const uid = await sendAndFail('SendScheduleSet', { setUID });
    expect(await unseen()).toMatchObject([{ _id: uid, failed: 2 }]);
    const [, second, third] = driver.units;
    kit.pass(1);
    const { crc } = await db()
      .selectFrom('unit_program')
      .select('crc')
      .where('farm_id', '=', driver.farm.id)
      .where('device_id', '=', second?.id ?? 0)
      .executeTakeFirstOrThrow();
    if (second) await driver.reportsSchedule(second, { ipcCrc: crc, cycleLen: 1 });
    expect(await unseen()).toMatchObject([{ failed: 1 }]);
    const newer = await buildScheduleSet(db(), driver.farm.id, driver.units, [
      { start: 120, duration: 30, cycle: 1 },
    ]);
    await driver.command('UpdateSchedule', {
      payload: { setUID: newer, serialNumbers: [third?.serial_number] },
    });
    expect(await unseen()).toEqual([]);
  });

  it('says nothing of a valve that has reported closed since', async () => {
    const uid = await sendAndFail('TurnGroupValvesOff', { groupUID });
    expect(await unseen()).toMatchObject([{ _id: uid, failed: 2 }]);
    const [, second, third] = driver.units;
    kit.pass(1);
    if (second) await driver.reportsValve(second, 'closed');
    if (third) await driver.reportsValve(third, 'open');
    expect(await unseen()).toMatchObject([{ failed: 1 }]);
    kit.pass(1);
    if (third) await driver.reportsValve(third, 'closed');
    expect(await unseen()).toEqual([]);
  });

  it('is not what another relay was told, nor what the server sends again by itself, nor what was before a share', async () => {
    const uid = await sendAndFail('PollGroup', { groupUID });
    kit.pass(1);
    expect(await unseen(await guest(kit.clock.now))).toEqual([]);
    await db().updateTable('command').set({ payload: '{"automatic":true}' }).where('uid', '=', uid).execute();
    expect(await unseen()).toEqual([]);
    const relay = async (number: number, state: 'done' | 'failed') =>
      driver.answers(await driver.command('ToggleIO', { payload: { relay: number, set: false } }), state);
    await relay(1, 'failed');
    await relay(2, 'done');
    expect(await unseen()).toMatchObject([{ title: 'Switch Relay', isForGateway: true, failed: 1 }]);
    await relay(1, 'done');
    expect(await unseen()).toEqual([]);
  });
});
