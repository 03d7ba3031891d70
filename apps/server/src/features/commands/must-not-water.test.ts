import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandName } from '@headrace/contract/command-types';
import type { GroupInfo, SprinklerCounts } from '@headrace/contract/groups';
import { commandTypes } from '@headrace/device/commands';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Who is inhibited gets nothing that lets it water, from the tap on, until it is uninhibited. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
const numbered = ['priority', 'seq', 'within', 'cycleLen'];
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
  driver = await kit.farm({ units: 2 });
  await driver.hello({ supports: numbered, listRev: 1 });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
});

const mac = (index: number) => driver.units[index]?.mac ?? '';
const to = (index: number, payload: object = {}) => ({ mac: mac(index), payload });
const group = (payload: object = {}) => ({ payload: { groupUID, ...payload } });
const spring = [{ start: 720, duration: 60, cycle: 1 }];
const summer = [{ start: 780, duration: 45, cycle: 1 }];
const springCrc = scheduleCrc(spring);
const summerCrc = scheduleCrc(summer);
const setOf = (entries: typeof spring) => buildScheduleSet(db(), driver.farm.id, driver.units, entries);

const unitsOf = async (uid: string) =>
  (await driver.detail(uid)).units.map(({ name, state, note }) => [name, state, note]);
const sent = () =>
  driver.messages().map(({ topic, body }) => {
    const units = body['units'] as { mac: string; crc: string }[] | undefined;
    const { macs } = (body['payload'] ?? {}) as { macs?: string[] };
    const about = units?.map((unit) => [unit.mac, unit.crc]) ?? macs ?? body['mac'];
    return [topic.split('/').at(-1), body['type'], about];
  });
const holds = (index: number, ipcCrc: string) =>
  driver.reportsSchedule(driver.units[index]!, { ipcCrc, cycleLen: 1 });
const cancel = (commandId: string, name: CommandName) =>
  kit.server.call('POST /commands/cancel', {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, commandId, type: commandTypes[name] },
  });
/** Units that must not water, with since when. */
async function stopped(): Promise<unknown[]> {
  const { rows } = await kit.server.database.pool.query<{ name: string; since: Date }>(
    `select d.name, s.since from unit_stop s join device d on d.farm_id = s.farm_id and d.id = s.device_id
      where s.farm_id = $1 and s.lifted_by is null order by d.name`,
    [driver.farm.id],
  );
  return rows.map(({ name, since }) => [name, since.toISOString()]);
}
async function holding(index = 0): Promise<unknown> {
  const { rows } = await kit.server.database.pool.query(
    `select crc, stopped_at is not null as "isStopped" from unit_held
      where farm_id = $1 and device_id = $2 and until is null`,
    [driver.farm.id, driver.units[index]?.id],
  );
  return rows[0];
}

async function inhibited(index = 0): Promise<void> {
  const uid = await driver.command('Inhibit', to(index));
  await driver.answers(uid, 'done', { mac: mac(index) });
  await driver.reaches(uid, 'done');
}
/** Both units hold spring, by their answer. */
async function sendSpring(): Promise<void> {
  const uid = await driver.command('SendScheduleSet', { payload: { setUID: await setOf(spring) } });
  for (const index of [0, 1]) await driver.answers('set-1', 'done', { mac: mac(index) });
  await driver.reaches(uid, 'done');
  kit.pass(1);
}
/** A turn of the clock, and until nothing is being sent any more. */
async function tick(): Promise<void> {
  await kit.server.commands.done();
  await kit.tick();
  await kit.server.commands.done();
}
/** Nothing gets through to the broker. */
function shut(): void {
  kit.broker.take = async () => {
    throw new Error('the broker is away');
  };
}
/** Also waits for what was being sent. */
async function open(): Promise<void> {
  await kit.server.commands.done();
  kit.broker.take = async () => {};
}

describe('an inhibited sprinkler', () => {
  it('must not water from the tap on, before it is told', async () => {
    shut();
    await driver.queue('Inhibit', to(0));
    expect(await stopped()).toEqual([['U001', '2026-11-20T21:00:00.000Z']]);
    kit.pass(5);
    await driver.queue('InhibitGroup', group());
    expect(await stopped()).toEqual([
      ['U001', '2026-11-20T21:00:00.000Z'],
      ['U002', '2026-11-20T21:05:00.000Z'],
    ]);
    await open();
  });

  it('is shown as such from the tap on, until it is uninhibited or that is taken back', async () => {
    shut();
    const get = async <T>(path: 'GET /group/info' | 'GET /ipc/status', query: object): Promise<T> => {
      const reply = await kit.server.call(path, {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid, ...query },
      });
      return reply.json<T>();
    };
    const shown = async () => {
      const { ipcs } = await get<GroupInfo>('GET /group/info', { name: 'FARM' });
      const { stopWanted } = await get<SprinklerCounts>('GET /ipc/status', {});
      return [ipcs.map((ipc) => ipc.stopWanted ?? null), stopWanted];
    };
    const told = () =>
      kit.events.flatMap(({ farmId, frame }) =>
        farmId === driver.farm.id && frame.type === 'ipc_stops' ? [[frame.data.since, frame.data.units]] : [],
      );
    const uids = driver.units.map(({ uid }) => uid);
    const tap = Date.parse('2026-11-20T21:00:00Z');
    expect(await shown()).toEqual([[null, null], 0]);
    await driver.queue('Inhibit', to(0));
    await eventually(() => told().length === 1);
    expect(await shown()).toEqual([[tap, null], 1]);
    kit.pass(5);
    const all = await driver.queue('InhibitGroup', group());
    await eventually(() => told().length === 3);
    expect(await shown()).toEqual([[tap, tap + 300_000], 2]);
    // The one that was stopped by the first keeps its time.
    expect(told()).toEqual([
      [tap, [uids[0]]],
      [tap, [uids[0]]],
      [tap + 300_000, [uids[1]]],
    ]);
    await open();
    await driver.answers(all, 'done', { mac: mac(0) });
    await holds(0, 'D6:DA');
    expect(await shown()).toEqual([[tap, tap + 300_000], 1]);
    await driver.queue('UninhibitGroup', group());
    await eventually(() => told().length === 4);
    expect(told().at(-1)).toEqual([null, uids]);
    expect(await shown()).toEqual([[null, null], 0]);
  });

  it('is told as such again only where a newer send ends what was to let it water', async () => {
    await inhibited();
    // What is sent to it later waits for the answer.
    await driver.queue('Poll', to(0));
    shut();
    const setUID = await setOf(spring);
    const told = async () => {
      await kit.server.commands.done();
      return kit.events.flatMap(({ farmId, frame }) =>
        farmId === driver.farm.id && frame.type === 'ipc_stops' ? [frame.data] : [],
      );
    };
    const { length } = await told();
    await driver.queue('SendScheduleSet', { payload: { setUID } });
    await driver.queue('SendScheduleSet', { payload: { setUID } });
    expect(await told()).toHaveLength(length);
    await driver.queue('SendScheduleSet', { payload: { setUID, alsoInhibited: true } });
    expect((await told()).slice(length)).toMatchObject([{ since: null }]);
    await driver.queue('SendScheduleSet', { payload: { setUID } });
    const since = Date.parse('2026-11-20T21:00:00Z');
    expect((await told()).slice(length + 1)).toMatchObject([
      { since, units: [driver.units[0]?.uid] },
      { since: null, units: [driver.units[1]?.uid] },
    ]);
    await open();
  });

  it('is left out of sends, and what is sent to it alone has failed and says why', async () => {
    await inhibited();
    const setUID = await setOf(spring);
    const note = 'Skipped: inhibited since 10:00 on 21 Nov.';
    kit.pass(30);
    const all = await driver.command('SendScheduleSet', { payload: { setUID } });
    await driver.answers('set-1', 'done', { mac: mac(1) });
    expect(await unitsOf(all)).toEqual([
      ['U001', 'skipped', note],
      ['U002', 'done', ''],
    ]);
    expect((await driver.reaches(all, 'done')).command).toMatchObject({
      done: 1,
      message: 'Send Schedules: 1 of 1 done; 1 left out: inhibited.',
    });
    const serialNumbers = [driver.units[0]?.serial_number];
    const one = await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers } });
    expect((await driver.reaches(one, 'failed')).command).toMatchObject({
      done: 0,
      failed: 0,
      message: `Send Schedule: ${note}`,
    });
    expect(sent().slice(1)).toEqual([['schedules', undefined, [[mac(1), springCrc]]]]);
  });

  it('is not opened, alone or with its group', async () => {
    await inhibited();
    const one = await driver.command('ValveOn', to(0));
    expect((await driver.reaches(one, 'failed')).command.message).toBe(
      'Valve On: Skipped: inhibited since 10:00 on 21 Nov.',
    );
    await driver.command('TurnGroupValvesOn', group());
    await kit.server.commands.done();
    expect(sent().slice(1)).toEqual([['cmd', 30, [mac(1)]]]);
  });

  it('is left out of what a gateway is sent again', async () => {
    await sendSpring();
    await inhibited();
    await driver.command('IncScheduleAll', {});
    await kit.server.commands.done();
    expect(sent().at(-1)).toEqual(['schedules', undefined, [[mac(1), springCrc]]]);
  });

  it('is left out by its own word alone where it was stopped by hand, and one that is new is not', async () => {
    await sendSpring();
    await holds(0, 'D6:DA');
    expect(await stopped()).toEqual([]);
    kit.pass(30);
    const uid = await driver.command('SendScheduleSet', { payload: { setUID: await setOf(summer) } });
    expect((await unitsOf(uid)).find(([name]) => name === 'U001')).toEqual([
      'U001',
      'skipped',
      'Skipped: inhibited since 10:01 on 21 Nov.',
    ]);
    driver = await kit.farm({ units: 1 });
    await holds(0, 'D6:DA');
    const first = await driver.command('SendScheduleSet', { payload: { setUID: await setOf(summer) } });
    expect(await unitsOf(first)).toEqual([['U001', 'sent', '']]);
  });

  it('gets a schedule that is for inhibited units too, and may water from then on', async () => {
    await inhibited();
    const uid = await driver.command('SendScheduleSet', {
      payload: { setUID: await setOf(spring), alsoInhibited: true },
    });
    expect((await unitsOf(uid)).map(([, state]) => state)).toEqual(['sent', 'sent']);
    expect(await stopped()).toEqual([]);
  });

  it('is opened by a Valve On that is for inhibited units too, and stays inhibited', async () => {
    await inhibited();
    const uid = await driver.command('ValveOn', to(0, { alsoInhibited: true }));
    expect(await unitsOf(uid)).toEqual([['U001', 'sent', '']]);
    expect(await stopped()).toEqual([['U001', '2026-11-20T21:00:00.000Z']]);
  });
});

describe('where one of two gateways is away', () => {
  /** U001 is heard by the one that is there, U002 by the other. */
  beforeEach(async () => {
    driver = await kit.farm({ units: 2, gateways: 2 });
    groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
  });
  async function setOnline(online: boolean): Promise<void> {
    await kit.server.commands.done();
    const { id } = driver.gateways[1]!;
    await db().updateTable('gateway_state').set({ online }).where('device_id', '=', id).execute();
  }

  it('an Inhibit that is taken back leaves those that it did not reach as they were', async () => {
    await setOnline(false);
    const uid = await driver.command('InhibitGroup', group());
    expect((await cancel(uid, 'InhibitGroup')).json()).toEqual({ cancelled: 1 });
    expect(await stopped()).toEqual([['U001', '2026-11-20T21:00:00.000Z']]);
  });

  it('an Uninhibit that is taken back leaves those that it did not reach inhibited', async () => {
    await driver.command('InhibitGroup', group());
    await setOnline(false);
    kit.pass(1);
    const uid = await driver.command('UninhibitGroup', group());
    expect(await stopped()).toEqual([]);
    expect((await cancel(uid, 'UninhibitGroup')).json()).toEqual({ cancelled: 1 });
    expect(await stopped()).toEqual([['U002', '2026-11-20T21:00:00.000Z']]);
  });

  it('an Inhibit that replaces one which never went out, and is taken back, leaves nothing behind', async () => {
    await setOnline(false);
    await driver.command('InhibitGroup', group());
    kit.pass(1);
    const uid = await driver.command('InhibitGroup', group());
    expect((await cancel(uid, 'InhibitGroup')).json()).toEqual({ cancelled: 1 });
    expect(await stopped()).toEqual([['U001', '2026-11-20T21:00:00.000Z']]);
  });

  it('an Uninhibit that a Valve Off ended before it went out lifts nothing', async () => {
    await driver.command('InhibitGroup', group());
    await setOnline(false);
    kit.pass(1);
    await driver.command('UninhibitGroup', group());
    await driver.command('TurnGroupValvesOff', group());
    expect(await stopped()).toEqual([['U002', '2026-11-20T21:00:00.000Z']]);
  });

  it('what was asked for by then is judged when it goes out', async () => {
    await setOnline(false);
    const on = await driver.command('TurnGroupValvesOn', group({ alsoInhibited: true }));
    kit.pass(1);
    // As another server's Inhibit that was stored at the same moment.
    await db()
      .insertInto('unit_stop')
      .values({
        farm_id: driver.farm.id,
        device_id: driver.units[1]!.id,
        kind: 'inhibit',
        since: kit.clock.now,
        command_id: 1,
        account_id: null,
      })
      .execute();
    await setOnline(true);
    await tick();
    expect(await unitsOf(on)).toEqual([
      ['U001', 'sent', ''],
      ['U002', 'skipped', 'Skipped: inhibited since 10:01 on 21 Nov.'],
    ]);
  });
});

describe('a start that a gateway carries out after the stop', () => {
  const again = () => sent().filter(([, type]) => type === commandTypes.Inhibit).length - 1;
  const answerAgain = async () => {
    const last = driver.messages('cmd').at(-1)?.body['cmdId'];
    await driver.answers(String(last), 'done', { mac: mac(0) });
  };

  it('of a schedule is stopped again, in ten minutes at the earliest, and the log says by whom', async () => {
    await driver.command('SendScheduleSet', { payload: { setUID: await setOf(spring) } });
    kit.pass(1);
    await inhibited();
    kit.pass(1);
    await driver.answers('set-1', 'done', { mac: mac(0) });
    kit.pass(8.5);
    await tick();
    expect(again()).toBe(0);
    kit.pass(0.5);
    await tick();
    expect(again()).toBe(1);
    const { commands } = (
      await kit.server.call('GET /commands', { headers: driver.headers, query: { farmUID: driver.farm.uid } })
    ).json<{ commands: { _id: string; title: string; isAutomatic: boolean; sentBy: string }[] }>();
    expect(commands[0]).toMatchObject({ title: 'Inhibit', isAutomatic: true, sentBy: '' });
    expect((await driver.detail(commands[0]?._id ?? '')).steps[0]?.note).toBe(
      `Sent again: it is inhibited and holds a schedule (${springCrc}).`,
    );
    // Said again while it is under way, and by a unit that does not hear it.
    kit.pass(15);
    await holds(0, springCrc);
    await tick();
    expect(again()).toBe(1);
    await answerAgain();
    kit.pass(1);
    await holds(0, springCrc);
    await tick();
    expect(again()).toBe(1);
    kit.pass(9);
    await tick();
    expect(again()).toBe(2);
    await answerAgain();
    kit.pass(1);
    await holds(0, 'D6:DA');
    kit.pass(20);
    await tick();
    expect(again()).toBe(2);
  });

  it('is stopped again once by two servers, after a word of its own, and only where somebody stopped it', async () => {
    await sendSpring();
    await inhibited();
    kit.pass(11);
    // It said nothing since.
    await tick();
    expect(again()).toBe(0);
    for (const index of [0, 1]) await holds(index, springCrc);
    const other = await kit.another();
    await Promise.all([tick(), other.tick()]);
    await other.commands.done();
    await other.close();
    expect(again()).toBe(1);
  });

  it('of an Uninhibit, which a newer Inhibit overtook, is stopped again', async () => {
    await sendSpring();
    await inhibited();
    await holds(0, 'D6:DA');
    kit.pass(1);
    const uninhibit = await driver.command('Uninhibit', to(0));
    kit.pass(1);
    await inhibited();
    expect(await unitsOf(uninhibit)).toEqual([
      [
        'U001',
        'cancelled',
        'Stopped meanwhile: Inhibit. It had been sent by then: it is not known whether it was carried out.',
      ],
    ]);
    expect(await stopped()).toEqual([['U001', '2026-11-20T21:03:00.000Z']]);
    kit.pass(1);
    await driver.answers(uninhibit, 'done', { mac: mac(0) });
    kit.pass(10);
    await holds(0, springCrc);
    await tick();
    expect(again()).toBe(2);
  });
});

describe('an Uninhibit', () => {
  it('lets a unit go on that holds what it is to water by', async () => {
    await sendSpring();
    await inhibited();
    kit.pass(1);
    await holds(0, 'D6:DA');
    const uid = await driver.command('Uninhibit', to(0));
    expect(sent().at(-1)).toEqual(['cmd', commandTypes.Uninhibit, mac(0)]);
    expect(await stopped()).toEqual([]);
    await driver.answers(uid, 'done', { mac: mac(0) });
    // It has not said so itself yet.
    kit.pass(1);
    const plan = await driver.command('SendScheduleSet', { payload: { setUID: await setOf(summer) } });
    expect((await unitsOf(plan)).map(([, state]) => state)).toEqual(['sent', 'sent']);
  });

  it('of a unit that was to get another schedule meanwhile sends it that', async () => {
    await sendSpring();
    await inhibited();
    kit.pass(1);
    await holds(0, 'D6:DA');
    await driver.command('SendScheduleSet', { payload: { setUID: await setOf(summer) } });
    const uid = await driver.command('Uninhibit', to(0));
    expect(sent().slice(-2)).toEqual([
      ['schedules', undefined, [[mac(1), summerCrc]]],
      ['schedules', undefined, [[mac(0), summerCrc]]],
    ]);
    const { command, steps } = await driver.detail(uid);
    expect(command).toMatchObject({
      title: 'Send Schedule',
      name: 'U001',
      state: 'sent',
      sentBy: 'Olive Owner',
    });
    expect(steps[0]?.note).toBe(
      'Sent instead of Uninhibit, which would start what was held before: this is what it is to water by now.',
    );
    expect(await stopped()).toEqual([]);
    await driver.answers('set-3', 'done', { mac: mac(0) });
    expect(await holding()).toEqual({ crc: summerCrc, isStopped: false });
  });

  it('of a group does both, each to whom it is for', async () => {
    await sendSpring();
    await inhibited();
    await driver.command('SendScheduleSet', { payload: { setUID: await setOf(summer) } });
    await driver.answers('set-2', 'done', { mac: mac(1) });
    await inhibited(1);
    const before = sent().length;
    await driver.command('UninhibitGroup', group());
    await eventually(() => sent().length === before + 2);
    expect(
      sent()
        .slice(before)
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['cmd', commandTypes.UninhibitGroup, [mac(1)]],
      ['schedules', undefined, [[mac(0), summerCrc]]],
    ]);
  });

  it('of a unit that is to hold nothing clears it', async () => {
    await sendSpring();
    await inhibited();
    const [, other] = driver.units;
    const setUID = await buildScheduleSet(db(), driver.farm.id, [other!], summer);
    await driver.command('SendScheduleSet', { payload: { setUID } });
    await driver.command('Uninhibit', to(0));
    expect(sent().at(-1)).toEqual(['schedules', undefined, [[mac(0), 'D6:DA']]]);
  });
});

describe('a unit that says none', () => {
  it('holds on to a schedule that nobody sent, where it is inhibited', async () => {
    await holds(0, '12:34');
    kit.pass(1);
    await inhibited();
    kit.pass(1);
    await holds(0, 'D6:DA');
    expect(await holding()).toEqual({ crc: '12:34', isStopped: true });
  });

  it('holds nothing where nobody inhibited it and it was to hold nothing', async () => {
    await holds(0, '12:34');
    kit.pass(1);
    await holds(0, 'D6:DA');
    expect(await holding()).toEqual({ crc: 'D6:DA', isStopped: false });
  });
});
