import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Command, SendPlan } from '@headrace/contract/commands';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import type { DeviceRow } from '../../db/schema.ts';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { afterRestore } from './after-restore.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** A schedule that a send did not bring to a unit goes to it once that is heard. */
let kit: CommandsKit;
let driver: FarmDriver;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
const HOUR = 60;
const DAY = 24 * HOUR;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
  driver = await kit.farm({ units: 3 });
});

const unit = (index: number): DeviceRow => driver.units[index]!;
const setOf = (minutes = 45, units = driver.units) =>
  buildScheduleSet(kit.server.database.db, driver.farm.id, units, [{ ...entries[0]!, duration: minutes }]);
/** A minute after what was before, unless said. */
async function heard(index: number, at?: Date): Promise<void> {
  if (!at) kit.pass(1);
  await driver.reportsSchedule(unit(index), { ipcCrc: 'D6:DA' }, at);
}
const daysAgo = (days: number) => new Date(kit.clock.now.getTime() - days * 86_400_000);
const log = async () =>
  (
    await kit.server.call('GET /commands', { headers: driver.headers, query: { farmUID: driver.farm.uid } })
  ).json<{ commands: Command[] }>().commands;
const byItself = async () => (await log()).filter(({ isAutomatic }) => isAutomatic);
const post = (key: string, body: object) =>
  kit.server.call(key, { headers: driver.headers, body: { farmUID: driver.farm.uid, ...body } });
const cancel = (commandId: string, name: CommandName = 'SendScheduleSet') =>
  post('POST /commands/cancel', { commandId, type: commandTypes[name] });
const sent = () =>
  driver
    .messages('schedules')
    .map(({ body }) => [body['rev'], (body['units'] as { mac: string }[]).map(({ mac }) => mac)]);
const online = (is = true) =>
  kit.server.database.db
    .updateTable('gateway_state')
    .set({ online: is })
    .where('device_id', '=', driver.gateway.id)
    .execute();

/** Minutes by the clock, then a look at what is due, which the server takes every half minute. */
async function look(minutes = 1): Promise<void> {
  kit.pass(minutes - 0.6);
  await kit.tick();
  kit.pass(0.6);
  await kit.tick();
  await kit.server.commands.done();
}

/** Two of three took it, the third did not answer. */
async function sendAndMissOne(setUID?: string): Promise<string> {
  const uid = await driver.command('SendScheduleSet', { payload: { setUID: setUID ?? (await setOf()) } });
  await driver.answers('set-1', 'done', { mac: unit(0).mac ?? '' });
  await driver.answers('set-1', 'done', { mac: unit(1).mac ?? '' });
  await driver.answers('set-1', 'failed', { mac: unit(2).mac ?? '', error: 'no answer' });
  return uid;
}

describe('a unit that did not answer a send of schedules', () => {
  it('gets it by itself once it is heard, and the send says so until then', async () => {
    const uid = await sendAndMissOne();
    const before = await driver.detail(uid);
    expect(before.command).toMatchObject({ state: 'failed', done: 2, failed: 1, waiting: 1 });
    expect(before.command.message).toBe('Send Schedules: 1 of 3 failed; 1 not heard: sent when they are.');
    expect(before.units.map(({ name, waitsUntil }) => [name, waitsUntil])).toEqual([
      ['U003', '2026-12-04T21:00:00.000Z'],
      ['U001', null],
      ['U002', null],
    ]);
    await look();
    expect(sent()).toHaveLength(1);
    await heard(2);
    await look();
    expect(sent()[1]).toEqual([2, [unit(2).mac]]);
    const [command] = await byItself();
    expect(command).toMatchObject({ title: 'Send Schedule', name: 'U003', total: 1 });
    expect((await driver.detail(command?._id ?? '')).steps[0]?.note).toBe(
      'Sent by itself: heard again, and not reached when this was sent.',
    );
    await driver.answers('set-2', 'done', { mac: unit(2).mac ?? '' });
    await look();
    expect((await driver.detail(uid)).command).toMatchObject({
      waiting: 0,
      message: 'Send Schedules: 1 of 3 failed.',
    });
    kit.pass(7 * HOUR);
    await heard(2);
    await look();
    expect(sent()).toHaveLength(2);
  });

  it('gets it with all of its gateway that were heard meanwhile, once by two servers', async () => {
    const uid = await driver.command('SendScheduleSet', { payload: { setUID: await setOf() } });
    const other = await kit.another();
    for (const { mac } of driver.units) await driver.answers('set-1', 'failed', { mac: mac ?? '' });
    expect((await driver.detail(uid)).command.waiting).toBe(3);
    await heard(0);
    await heard(2);
    kit.pass(1);
    await Promise.all([kit.tick(), other.tick()]);
    await kit.server.commands.done();
    await other.commands.done();
    expect(sent().slice(1)).toEqual([[2, [unit(0).mac, unit(2).mac]]]);
    expect(await byItself()).toMatchObject([{ name: '2 sprinklers', total: 2 }]);
    await other.close();
  });

  it('that ran out of time waits too, also while its gateway is away', async () => {
    const uid = await driver.command('SendScheduleSet', { payload: { setUID: await setOf() } });
    await look(30);
    expect((await driver.detail(uid)).command).toMatchObject({ state: 'expired', waiting: 3 });
    await online(false);
    await heard(1);
    await look();
    expect(sent()).toHaveLength(1);
    await online();
    await look();
    expect(sent()[1]).toEqual([2, [unit(1).mac]]);
  });

  it('that still fails is tried every six hours, and ten times at most', async () => {
    const uid = await sendAndMissOne();
    const tries: number[] = [];
    for (let hour = 0; hour < 62; hour += 1) {
      await heard(2);
      const before = sent().length;
      await look(59);
      if (sent().length === before) continue;
      tries.push(hour);
      await driver.answers(`set-${sent().length}`, 'failed', { mac: unit(2).mac ?? '', error: 'no answer' });
    }
    expect(tries).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48, 54]);
    Object.assign(driver.headers, await kit.server.signIn(driver.owner));
    const { command, steps } = await driver.detail(uid);
    expect(command.waiting).toBe(0);
    expect(steps.at(-1)).toMatchObject({
      name: 'U003',
      note: 'Not sent by itself any more: it was sent ten times.',
    });
  });

  it('is left alone after two weeks', async () => {
    const uid = await sendAndMissOne();
    kit.pass(14 * DAY - 5);
    await kit.tick();
    Object.assign(driver.headers, await kit.server.signIn(driver.owner));
    expect((await driver.detail(uid)).command.waiting).toBe(1);
    kit.pass(10);
    await heard(2);
    await look();
    expect(sent()).toHaveLength(1);
    expect((await driver.detail(uid)).steps.at(-1)?.note).toBe(
      'Not sent by itself any more: it was not reached in two weeks.',
    );
  });

  it('gets nothing of an older send once a newer one is there, nor when it says that it holds it', async () => {
    await sendAndMissOne();
    const newer = await driver.command('SendScheduleSet', { payload: { setUID: await setOf(30) } });
    for (const { mac } of driver.units) await driver.answers('set-2', 'done', { mac: mac ?? '' });
    expect((await driver.detail(newer)).command).toMatchObject({ state: 'done', waiting: 0 });
    await heard(2);
    await look();
    expect(sent()).toHaveLength(2);
  });

  it('gets it all the same where a newer send that was to replace it was taken back', async () => {
    const uid = await sendAndMissOne();
    const setUID = await setOf(30);
    // While another server sends to the gateway, nothing goes out here.
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const newer = await driver.queue('SendScheduleSet', { payload: { setUID } });
    expect((await driver.detail(uid)).command.waiting).toBe(0);
    const reply = await cancel(newer);
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    expect(reply.json()).toEqual({ cancelled: 3 });
    expect((await driver.detail(uid)).command.waiting).toBe(1);
    expect((await driver.detail(uid)).units[0]).toMatchObject({
      name: 'U003',
      waitsUntil: '2026-12-04T21:00:00.000Z',
    });
    await heard(2);
    await look();
    expect(sent()[1]).toEqual([2, [unit(2).mac]]);
  });

  it('gets nothing while it is inhibited, and what it is to hold with its Uninhibit', async () => {
    await sendAndMissOne();
    await driver.command('Inhibit', { mac: unit(2).mac });
    await heard(2);
    await look();
    expect(sent()).toHaveLength(1);
    await driver.command('Uninhibit', { mac: unit(2).mac });
    expect(sent()[1]).toEqual([2, [unit(2).mac]]);
  });

  it('gets nothing where it is spare, was moved or left the group of its line, and the log says why', async () => {
    const { db } = kit.server.database;
    const group = await buildGroup(db, driver.farm.id, 'North', driver.units);
    const setUID = await setOf();
    await db
      .updateTable('schedule_set_unit')
      .set({ group_uid: group })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    await db
      .updateTable('device')
      .set({ lat: -43.6, lng: 172.1 })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    for (const { mac } of driver.units) await driver.answers('set-1', 'failed', { mac: mac ?? '' });
    await db.updateTable('device').set({ lat: -43.61 }).where('id', '=', unit(0).id).execute();
    // Set right on the map by some metres.
    await db.updateTable('device').set({ lat: -43.6001 }).where('id', '=', unit(1).id).execute();
    await db.deleteFrom('device_group_member').where('device_id', '=', unit(2).id).execute();
    for (const index of [0, 1, 2]) await heard(index);
    await look();
    expect(sent().slice(1)).toEqual([[2, [unit(1).mac]]]);
    const { steps } = await driver.detail(uid);
    expect(
      steps.filter(({ note }) => note.startsWith('Not sent by itself')).map(({ name, note }) => [name, note]),
    ).toEqual([
      ['U001', 'Not sent by itself any more: it was moved, or left its group.'],
      ['U003', 'Not sent by itself any more: it was moved, or left its group.'],
    ]);
  });

  it('is left to a person where it says a schedule that nobody here sent since, as after a backup was restored', async () => {
    const uid = await sendAndMissOne();
    kit.pass(1);
    await driver.reportsSchedule(unit(2), { ipcCrc: 'AA:BB' });
    await look();
    expect(sent()).toHaveLength(1);
    expect((await driver.detail(uid)).steps.at(-1)?.note).toBe(
      'Not sent by itself any more: it holds a schedule that Headrace did not send.',
    );
  });

  it('is not sent by itself after the database was put back, nor is anything that was under way then', async () => {
    const uid = await sendAndMissOne();
    const inhibit = await driver.command('Inhibit', { mac: unit(1).mac });
    // It waits for the stop's answer.
    const poll = await driver.queue('Poll', { mac: unit(1).mac });
    const { db } = kit.server.database;
    await db.transaction().execute((trx) => afterRestore(sqlClient(trx), kit.clock.now));
    await heard(2);
    await look();
    expect(sent()).toHaveLength(1);
    expect(driver.messages('cmd').map(({ body }) => body['cmdId'])).toEqual([inhibit]);
    expect((await driver.detail(uid)).command.waiting).toBe(0);
    const ended = 'Ended: it was under way when the backup was made that the database was restored from.';
    for (const commandId of [poll, inhibit])
      expect((await driver.detail(commandId)).units).toMatchObject([{ state: 'expired', note: ended }]);
    expect(
      await db.selectFrom('unit_stop').select('lifted_by').where('device_id', '=', unit(1).id).execute(),
    ).toEqual([{ lifted_by: null }]);
  });

  it('is not sent by itself after somebody cancelled that, on the send or on what went out by itself', async () => {
    const uid = await sendAndMissOne();
    const reply = await cancel(uid);
    expect([reply.statusCode, reply.json()]).toEqual([200, { cancelled: 1 }]);
    expect((await driver.detail(uid)).command).toMatchObject({ state: 'failed', waiting: 0 });
    await heard(2);
    await look();
    expect(sent()).toHaveLength(1);
    expect((await cancel(uid)).statusCode).toBe(409);
  });

  it('does not get what was queued by itself and taken back before it went out', async () => {
    const uid = await sendAndMissOne();
    // An Off that is on its way holds the schedule up.
    const off = await driver.command('ValveOff', { mac: unit(2).mac });
    await heard(2);
    await look();
    const [waiting] = await byItself();
    expect([waiting?.state, sent().length]).toEqual(['queued', 1]);
    await cancel(uid);
    await driver.answers(off, 'done', { mac: unit(2).mac ?? '' });
    await kit.server.commands.done();
    expect(sent()).toHaveLength(1);
    expect((await driver.detail(waiting?._id ?? '')).units).toMatchObject([
      {
        state: 'cancelled',
        note: 'Not sent: another schedule was sent to it meanwhile, or this one was taken back.',
      },
    ]);
  });

  it('does not get it again by itself after the command that brought it was cancelled', async () => {
    const uid = await sendAndMissOne();
    await driver.command('ValveOff', { mac: unit(2).mac });
    await heard(2);
    await look();
    const [waiting] = await byItself();
    expect((await cancel(waiting?._id ?? '', 'UpdateSchedule')).statusCode).toBe(200);
    expect((await driver.detail(uid)).command.waiting).toBe(0);
    await look(7 * HOUR);
    await heard(2);
    await look();
    expect(sent()).toHaveLength(1);
  });
});

describe('a unit that was not heard for a month', () => {
  const plan = async (setUID: string) =>
    (
      await post('POST /commands/plan', { type: commandTypes.SendScheduleSet, payload: { setUID } })
    ).json<SendPlan>();

  it('is left out of a send, and gets its schedule once it is heard', async () => {
    await heard(0, daysAgo(31));
    await heard(1);
    await heard(2);
    const setUID = await setOf();
    const { toDo, outOfContact, findings } = await plan(setUID);
    expect({ toDo, outOfContact }).toEqual({ toDo: 2, outOfContact: 1 });
    expect(findings).toEqual([
      {
        kind: 'unheard',
        text: '1 sprinkler was not heard for 30 days and is left out: its schedule is sent when it is heard.',
        count: 1,
        names: ['U001'],
      },
    ]);
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    expect(sent()).toEqual([[1, [unit(1).mac, unit(2).mac]]]);
    for (const index of [1, 2]) await driver.answers('set-1', 'done', { mac: unit(index).mac ?? '' });
    const { command, units } = await driver.detail(uid);
    expect(command).toMatchObject({ state: 'done', total: 3, done: 2, waiting: 1 });
    expect(command.message).toBe('Send Schedules: 2 of 2 done; 1 not heard: sent when they are.');
    expect(units.find(({ name }) => name === 'U001')).toMatchObject({
      state: 'skipped',
      isLeftOut: true,
      note: 'Left out: not heard for more than 30 days.',
      waitsUntil: '2026-12-04T21:02:00.000Z',
    });
    kit.pass(DAY);
    await heard(0);
    await look();
    expect(sent()[1]).toEqual([2, [unit(0).mac]]);
  });

  it('is cancelled with the others, and counted once', async () => {
    await heard(0, daysAgo(31));
    await heard(1);
    await heard(2);
    const setUID = await setOf();
    // Another server sends to the gateway.
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const uid = await driver.queue('SendScheduleSet', { payload: { setUID } });
    const reply = await cancel(uid);
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    expect(reply.json()).toEqual({ cancelled: 3 });
    const { command, unitStates } = await driver.detail(uid);
    expect(unitStates).toEqual({ cancelled: 3 });
    expect(command).toMatchObject({
      state: 'cancelled',
      total: 3,
      done: 0,
      hadIt: 0,
      leftOut: 0,
      waiting: 0,
    });
    expect(command.message).toBe('Send Schedules: cancelled before it was sent.');
  });

  it('is to water by what it was to before, once the send is cancelled', async () => {
    await heard(0, daysAgo(31));
    await heard(1);
    await heard(2);
    const first = await setOf(20, [unit(0)]);
    await driver.command('UpdateSchedule', {
      payload: { setUID: first, serialNumbers: [unit(0).serial_number] },
    });
    await driver.answers('set-1', 'done', { mac: unit(0).mac ?? '' });
    const uid = await driver.command('SendScheduleSet', { payload: { setUID: await setOf() } });
    expect((await cancel(uid)).json()).toEqual({ cancelled: 1 });
    const wanted = await kit.server.database.db
      .selectFrom('unit_program')
      .select('entries')
      .where('device_id', '=', unit(0).id)
      .executeTakeFirstOrThrow();
    expect(wanted.entries).toEqual([{ start: 60, duration: 20, cycle: 1 }]);
    kit.pass(DAY);
    await heard(0);
    await look();
    expect(sent()).toHaveLength(2);
  });

  it('is asked all the same where most of its gateway were silent, or it was never heard, or is the only one', async () => {
    await heard(0, daysAgo(31));
    await heard(1, daysAgo(40));
    const setUID = await setOf();
    expect(await plan(setUID)).toMatchObject({ toDo: 3, outOfContact: 3 });
    await driver.command('SendScheduleSet', { payload: { setUID } });
    expect(sent().flatMap(([, macs]) => macs)).toHaveLength(3);
  });
});

describe('a unit that took a place', () => {
  const swap = async (sendSchedule?: boolean) => {
    const setUID = await setOf();
    await driver.command('SendScheduleSet', { payload: { setUID } });
    for (const { mac } of driver.units) await driver.answers('set-1', 'done', { mac: mac ?? '' });
    const mac = `0004A30B0099${unit(0).mac?.slice(-4) ?? ''}`;
    const payload = { serialNumber: `NEW-${driver.farm.id}`, mac, ...(sendSchedule && { sendSchedule }) };
    const uid = await driver.command('Replace', { mac: unit(0).mac, payload });
    expect(driver.messages('cmd').at(-1)?.body['payload']).toEqual({
      serialNumber: payload.serialNumber,
      mac,
    });
    await driver.answers(uid, 'done');
    const { list_rev } = await kit.server.database.db
      .selectFrom('gateway_state')
      .select('list_rev')
      .where('device_id', '=', driver.gateway.id)
      .executeTakeFirstOrThrow();
    await driver.hello({ listRev: list_rev });
    await look();
    return mac;
  };

  it('gets its schedule by itself where that was asked for, without having been heard', async () => {
    const mac = await swap(true);
    expect(sent()[1]).toEqual([2, [mac]]);
    const [command] = await byItself();
    expect((await driver.detail(command?._id ?? '')).steps[0]?.note).toBe(
      'Sent by itself: the schedule of a place that another unit has taken, or that is in service again.',
    );
    await driver.answers('set-2', 'done', { mac });
    await look(7 * HOUR);
    expect(sent()).toHaveLength(2);
  });

  it('gets none by itself where it was not', async () => {
    await swap();
    expect(sent()).toHaveLength(1);
  });

  it('gets it in spite of a stop only after that', async () => {
    await driver.answers(await driver.command('Inhibit', { mac: unit(0).mac }), 'done');
    const mac = await swap(true);
    expect(sent()).toEqual([[1, [unit(1).mac, unit(2).mac]]]);
    await driver.command('Uninhibit', { mac });
    expect(sent()[1]).toEqual([2, [mac]]);
  });
});
