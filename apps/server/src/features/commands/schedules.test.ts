import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { buildGroup, buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Schedules to units: what is sent, what is left out, and what answers mean. */
let kit: CommandsKit;
let driver: FarmDriver;
let setUID: string;
const db = () => kit.server.database.db;
const entries = [
  { start: 60, duration: 45, cycle: 1 },
  // The second day of the cycle, at 10:00: a set counts minutes over its cycle, a unit those of the day.
  { start: 2040, duration: 95, cycle: 2 },
];
/** CRC-16/CCITT-FALSE of 60, 45, 1, 600, 95, 2 as 16-bit words; reckoned with Python's binascii.crc_hqx(…, 0xFFFF). */
const crc = '07:3B';

beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 3 });
  setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
});

const mac = (index: number) => driver.units[index]?.mac ?? '';
const unitsSent = (index: number) =>
  ((driver.messages('schedules')[index]?.body['units'] ?? []) as { mac: string }[]).map((unit) => unit.mac);
const errorOf = async (name: 'UpdateSchedule' | 'SendScheduleSet', payload: object) => {
  const reply = await driver.send(name, { payload });
  return [reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage];
};

it('sends of schedules are listed without the other commands where that is asked for', async () => {
  await driver.command('IncTimeSet', {});
  await driver.command('SendScheduleSet', { payload: { setUID } });
  const serialNumbers = driver.units.slice(0, 1).map((unit) => unit.serial_number);
  await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers } });
  const listed = async (query: object) => {
    const reply = await kit.server.call('GET /commands', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, ...query },
    });
    return reply.json<{ commands: { title: string }[] }>().commands.map(({ title }) => title);
  };
  expect(await listed({})).toEqual(['Send Schedule', 'Send Schedules', 'Set Time']);
  expect(await listed({ about: 'schedules' })).toEqual(['Send Schedule', 'Send Schedules']);
  // Of those under way the one that is for several.
  expect(await listed({ about: 'underWay' })).toEqual(['Send Schedules']);
});

it('names the sprinklers that something is under way for', async () => {
  const units = async () => {
    const { farm, headers } = driver;
    const reply = await kit.server.call('GET /commands/units', { headers, query: { farmUID: farm.uid } });
    return reply.json<object>();
  };
  const [first, second, third] = driver.units;
  const name = (...some: (typeof first)[]) => some.map((unit) => unit?.uid);
  expect(await units()).toEqual({ commands: [] });
  const send = await driver.command('SendScheduleSet', { payload: { setUID } });
  const poll = await driver.queue('Poll', { mac: mac(2), serialNumber: third?.serial_number });
  const sending = { _id: send, title: 'Send Schedules' };
  const polling = { _id: poll, title: 'Poll', units: name(third) };
  // Time of a gateway is for nobody of them.
  await driver.command('IncTimeSet', {});
  expect(await units()).toEqual({
    commands: [polling, { ...sending, units: name(first, second, third) }],
  });
  kit.pass(1);
  await driver.answers('set-1', 'done', { mac: mac(0) });
  await driver.answers('set-1', 'failed', { mac: mac(1), error: 'not heard' });
  expect(await units()).toEqual({
    commands: [polling, { ...sending, units: name(third) }],
  });
  const stranger = await kit.farm();
  const reply = await kit.server.call('GET /commands/units', {
    headers: stranger.headers,
    query: { farmUID: stranger.farm.uid },
  });
  expect(reply.json()).toEqual({ commands: [] });
});

describe('a set of schedules', () => {
  it('goes out with each unit’s waterings and checksum, and is done when every unit has answered', async () => {
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    expect(driver.messages('schedules')).toEqual([
      {
        topic: `headrace/v1/${driver.gateway.mac}/down/schedules`,
        body: {
          setId: setUID,
          rev: 1,
          part: 1,
          parts: 1,
          expiresAt: '2026-11-20T21:10:00.000Z',
          priority: 3,
          seq: expect.any(Number),
          cycleLen: 2,
          units: driver.units.map((unit) => ({
            mac: unit.mac,
            crc,
            entries: [
              { start: 60, duration: 45, cycle: 1 },
              { start: 600, duration: 95, cycle: 2 },
            ],
          })),
        },
      },
    ]);
    await driver.answers('set-1', 'accepted');
    await driver.answers('set-1', 'done', { mac: mac(0) });
    await driver.answers('set-1', 'done', { mac: mac(1) });
    expect((await driver.detail(uid)).command).toMatchObject({
      state: 'progress',
      message: 'Send Schedules: 2 of 3 done.',
    });
    await driver.answers('set-1', 'failed', { mac: mac(2), error: 'not heard' });
    expect((await driver.detail(uid)).command).toMatchObject({
      state: 'failed',
      total: 3,
      done: 2,
      failed: 1,
      message: 'Send Schedules: 1 of 3 failed; 1 not heard: sent when they are.',
    });
  });

  it('lives three minutes for each unit, ten at least', async () => {
    for (let count = 0; count < 2; count += 1)
      driver.units.push(await buildSprinkler(db(), driver.farm.id, { name: `V${count}` }));
    const set = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    const uid = await driver.command('SendScheduleSet', { payload: { setUID: set } });
    expect((await driver.detail(uid)).command.expiresAt).toBe('2026-11-20T21:15:00.000Z');
  });

  it('gets a number of its own for each send, gateway by gateway', async () => {
    const farm = await kit.farm({ units: 2, gateways: 2 });
    const set = await buildScheduleSet(db(), farm.farm.id, farm.units, entries);
    const payload = { setUID: set, serialNumbers: [farm.units[0]?.serial_number] };
    await farm.command('UpdateSchedule', { payload });
    await farm.answers('set-1', 'done', { mac: farm.units[0]?.mac ?? '' });
    await farm.command('SendScheduleSet', { payload: { setUID: set } });
    await eventually(() => farm.messages('schedules').length === 3);
    const revsOf = (gateway?: { mac: string | null }) =>
      farm
        .messages('schedules')
        .filter(({ topic }) => topic.includes(gateway?.mac ?? '-'))
        .map(({ body }) => body['rev']);
    expect(farm.gateways.map(revsOf)).toEqual([[1, 2], [1]]);
  });

  it('to the whole farm is what the farm waters by from then on; to a group it is not', async () => {
    const current = async () =>
      (
        await db()
          .selectFrom('farm')
          .innerJoin('schedule_set as s', (join) =>
            join.onRef('s.farm_id', '=', 'farm.id').onRef('s.id', '=', 'farm.current_set_id'),
          )
          .select('s.uid')
          .where('farm.id', '=', driver.farm.id)
          .executeTakeFirst()
      )?.uid;
    const groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units.slice(0, 1));
    await driver.command('SendScheduleSet', { payload: { setUID, groupUID } });
    expect(await current()).toBeUndefined();
    expect(unitsSent(0)).toEqual([mac(0)]);
    await driver.command('SendScheduleSet', { payload: { setUID, groupUID: 'FARM' } });
    expect(await current()).toBe(setUID);
  });

  it('leaves out units that say that they hold it, and says so', async () => {
    await driver.reportsSchedule(driver.units[1]!, { ipcCrc: crc, cycleLen: 2 });
    kit.pass(1);
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    await eventually(() => driver.messages('schedules').length === 1);
    expect(unitsSent(0)).toEqual([mac(0), mac(2)]);
    // Heard within a day: it stands before the others.
    expect((await driver.detail(uid)).units[0]).toMatchObject({
      name: 'U002',
      state: 'skipped',
      note: 'It held this schedule already.',
    });
    for (const unit of [mac(0), mac(2)]) await driver.answers('set-1', 'done', { mac: unit });
    expect((await driver.detail(uid)).command).toMatchObject({
      state: 'done',
      done: 3,
      message: 'Send Schedules: done, 1 of 3 had it already.',
    });
  });

  it('does not leave out a unit that something was done to since it said so', async () => {
    await driver.reportsSchedule(driver.units[1]!, { ipcCrc: crc, cycleLen: 2 });
    kit.pass(20);
    const inhibit = await driver.command('Inhibit', { mac: mac(1) });
    await driver.answers(inhibit, 'done');
    await driver.command('SendScheduleSet', { payload: { setUID, alsoInhibited: true } });
    expect(unitsSent(0)).toEqual([mac(1), mac(0), mac(2)]);
  });

  it('ends the one before it, and does not leave out a unit by what it said before that', async () => {
    await driver.reportsSchedule(driver.units[1]!, { ipcCrc: crc, cycleLen: 2 });
    kit.pass(20);
    const other = await buildScheduleSet(db(), driver.farm.id, driver.units, [
      { start: 5, duration: 5, cycle: 1 },
    ]);
    const before = await driver.command('SendScheduleSet', { payload: { setUID: other } });
    await driver.command('SendScheduleSet', { payload: { setUID } });
    expect((await driver.detail(before)).units[0]).toMatchObject({
      state: 'cancelled',
      note: 'Replaced by a newer Send Schedules. It had been sent by then: it is not known whether it was carried out.',
    });
    // The gateway may have done the other one.
    expect(unitsSent(1)).toContain(mac(1));
  });

  it('leaves out a unit that was only asked how it is since it said so, and says that before', async () => {
    await driver.reportsSchedule(driver.units[1]!, { ipcCrc: crc, cycleLen: 2 });
    kit.pass(20);
    const poll = await driver.command('PollGroup', { payload: { groupUID: 'FARM' } });
    for (const { mac: asked } of driver.units) await driver.answers(poll, 'done', { mac: asked ?? '' });
    const plan = await kit.server.call('POST /commands/plan', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, type: commandTypes.SendScheduleSet, payload: { setUID } },
    });
    expect(plan.json()).toMatchObject({ total: 3, inStep: 1, toDo: 2 });
    await driver.command('SendScheduleSet', { payload: { setUID } });
    await eventually(() => driver.messages('schedules').length === 1);
    expect(unitsSent(0)).toEqual([mac(0), mac(2)]);
  });

  it('does not leave out a unit by a report whose clock may be ahead', async () => {
    await driver.reportsSchedule(
      driver.units[1]!,
      { ipcCrc: crc, cycleLen: 2 },
      new Date('2026-11-20T21:08:00Z'),
    );
    kit.pass(3);
    const inhibit = await driver.command('Inhibit', { mac: mac(1) });
    await driver.answers(inhibit, 'done');
    await driver.command('SendScheduleSet', { payload: { setUID, alsoInhibited: true } });
    expect(unitsSent(0)).toContain(mac(1));
  });

  it('to a unit that is busy follows in a set of its own, and the units under way stay in theirs', async () => {
    const poll = await driver.command('Poll', { mac: mac(1) });
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    await driver.answers(poll, 'done');
    await eventually(() => driver.messages('schedules').length === 2);
    expect(driver.messages('schedules').map(({ body }, index) => [body['rev'], unitsSent(index)])).toEqual([
      [1, [mac(0), mac(2)]],
      [2, [mac(1)]],
    ]);
    await driver.answers('set-1', 'done', { mac: mac(0) });
    await driver.answers('set-2', 'done', { mac: mac(1) });
    await driver.answers('set-1', 'done', { mac: mac(2) });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });

  it('names what is not there', async () => {
    expect(await errorOf('UpdateSchedule', { setUID, serialNumbers: ['nobody'] })).toEqual([
      400,
      'Not sprinklers of this farm: nobody.',
    ]);
    const extra = await buildSprinkler(db(), driver.farm.id, { serial_number: 'X-1' });
    expect(await errorOf('UpdateSchedule', { setUID, serialNumbers: [extra.serial_number] })).toEqual([
      400,
      expect.stringMatching(/^Not in the schedule set Set \w+: X-1\.$/),
    ]);
    const empty = await buildGroup(db(), driver.farm.id, 'Empty', []);
    expect(await errorOf('SendScheduleSet', { setUID, groupUID: empty })).toEqual([
      400,
      'There are no sprinklers in this group to send the schedule to.',
    ]);
    expect(await errorOf('SendScheduleSet', { setUID: 'a'.repeat(24) })).toEqual([
      404,
      'This farm has no such schedule set.',
    ]);
    expect(await errorOf('SendScheduleSet', { setUID, groupUID: 'a'.repeat(24) })).toEqual([
      404,
      'This farm has no such group.',
    ]);
    const deleted = await kit.server.call('DELETE /schedules', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, setUID },
    });
    expect(deleted.json()).toMatchObject({ deleted: true });
    expect(await errorOf('SendScheduleSet', { setUID })).toEqual([
      404,
      'This farm has no such schedule set.',
    ]);
    expect(driver.messages('schedules')).toEqual([]);
    const stranger = await kit.farm();
    const theirs = await buildScheduleSet(db(), stranger.farm.id, stranger.units, entries);
    expect((await errorOf('SendScheduleSet', { setUID: theirs }))[0]).toBe(404);
  });
});

describe('a group', () => {
  it('names its units in service to the gateway and takes an answer for each', async () => {
    const { farm } = driver;
    const spare = await buildSprinkler(db(), farm.id, { name: 'V1', settings: { isSpareUnit: true } });
    const out = await buildSprinkler(db(), farm.id, { name: 'V2', settings: { outOfService: true } });
    const groupUID = await buildGroup(db(), farm.id, 'North', [...driver.units, spare, out]);
    const uid = await driver.command('ReconfigureGroup', { payload: { groupUID, groupName: 'North' } });
    expect(driver.messages('cmd').at(-1)?.body).toEqual({
      cmdId: uid,
      type: 28,
      payload: { macs: [mac(0), mac(1), mac(2)] },
      expiresAt: '2026-11-20T21:10:00.000Z',
      priority: 3,
      seq: expect.any(Number),
    });
    await driver.answers(uid, 'done', { mac: mac(0) });
    const { command, units } = await driver.detail(uid);
    expect(command).toMatchObject({ name: 'North', serialNumber: '-', state: 'progress', total: 3, done: 1 });
    expect(units.map(({ state }) => state)).toEqual(['done', 'sent', 'sent']);
    for (const unit of [mac(1), mac(2)]) await driver.answers(uid, 'done', { mac: unit });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });

  it('of which the gateway says some, not which, has no unit done by that', async () => {
    const groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
    const uid = await driver.command('PollGroup', { payload: { groupUID } });
    await driver.answers(uid, 'done', { done: 2, total: 3 });
    const { command, steps } = await driver.detail(uid);
    expect(command).toMatchObject({ state: 'sent', done: 0 });
    expect(steps.at(-1)).toMatchObject({ state: 'done', note: 'The gateway says 2 of 3, not which.' });
    await driver.answers(uid, 'progress', { done: 2, total: 3 });
    expect((await driver.detail(uid)).command.message).toBe('Poll Group: 2 of 3 done.');
  });

  it('without a uid is refused: it would be the whole farm', async () => {
    const reply = await driver.send('InhibitGroup', { payload: { groupUID: '' } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ errorMessage: string }>().errorMessage).toMatch(/^payload: groupUID /);
    await pause();
    expect(driver.messages()).toEqual([]);
  });
});
