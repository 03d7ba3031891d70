import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { buildGroup, buildScheduleSet, buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What sending would do is told before, and nothing is sent for it. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(() => begin(75, 9.4));

async function begin(units: number, secondsEach: number | null): Promise<void> {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units, secondsEach });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
}

async function plan(name: CommandName, payload: object): Promise<SendPlan> {
  const reply = await kit.server.call('POST /commands/plan', {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, type: commandTypes[name], payload },
  });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
  return reply.json<SendPlan>();
}

describe('a plan', () => {
  it('of opening a group says how many have their turn in ten minutes, and sends nothing', async () => {
    const { inTime, findings, toDo } = await plan('TurnGroupValvesOn', { groupUID });
    // 600 s ÷ 9.4 s
    expect({ inTime, toDo }).toEqual({ inTime: { count: 63, minutes: 10 }, toDo: 75 });
    expect(findings).toContainEqual({
      kind: 'notInTime',
      text: "About 63 of 75 have their turn within 10 minutes; the others don't open.",
      count: 12,
      names: [],
    });
    await pause();
    expect(driver.messages()).toEqual([]);
  });

  it('counts as heard who says anything, whatever it is', async () => {
    const ago = (days: number) => new Date(kit.clock.now.getTime() - days * 86_400_000);
    for (const unit of driver.units) await driver.reportsValve(unit, 'closed', ago(40));
    const charged = driver.units[3]!;
    await driver.says('ipc', { items: [{ mac: charged.mac, at: ago(2).toISOString(), charge: 60 }] });
    const found = await plan('PollGroup', { groupUID });
    expect(found).toMatchObject({ toDo: 75, outOfContact: 74 });
  });

  it('of a send leaves out units that hold it, and names those that would water again', async () => {
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    for (const unit of driver.units.slice(0, 5))
      await driver.reportsSchedule(unit, { ipcCrc: scheduleCrc(entries), cycleLen: 1 });
    // The same waterings every second day are another schedule.
    await driver.reportsSchedule(driver.units[5]!, { ipcCrc: scheduleCrc(entries), cycleLen: 2 });
    // It was to hold something and holds none: it was inhibited. The next one is new: it holds nothing.
    await buildWanted(db(), driver.farm.id, [driver.units[6]!], [{ start: 120, duration: 45, cycle: 1 }]);
    await driver.reportsSchedule(driver.units[6]!, {
      ipcCrc: scheduleCrc([{ start: 120, duration: 45, cycle: 1 }]),
    });
    kit.pass(1);
    await driver.reportsSchedule(driver.units[6]!, { ipcCrc: 'D6:DA' });
    await driver.reportsSchedule(driver.units[7]!, { ipcCrc: 'D6:DA' });
    kit.pass(20);
    const found = await plan('SendScheduleSet', { setUID, alsoInhibited: true });
    expect(found).toMatchObject({ total: 75, inStep: 5, toDo: 70, outOfContact: 67, inhibited: 1 });
    expect(found.findings).toContainEqual({
      kind: 'inhibited',
      text: '1 inhibited sprinkler would water again.',
      count: 1,
      names: ['U007'],
    });
    // 70 × 9.4 s = 658 s after 21:21.
    expect(found.finish).toMatchObject({ expected: '2026-11-20T21:31:58.000Z' });
    const usual = await plan('SendScheduleSet', { setUID });
    expect(usual).toMatchObject({ total: 75, inStep: 5, toDo: 69, inhibited: 1 });
    expect(usual.findings).toContainEqual({
      kind: 'inhibited',
      text: '1 inhibited sprinkler is left out.',
      count: 1,
      names: ['U007'],
    });
  });

  it('of a set says what that asks of the water supply beyond what it gives now', async () => {
    await begin(3, 9.4);
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    const ofSupply = async () =>
      (await plan('SendScheduleSet', { setUID, groupUID })).findings.filter(
        ({ kind }) => kind === 'beyondSupply',
      );
    expect(await ofSupply()).toEqual([]);
    const supply = {
      maxLps: 10,
      windows: [{ fromMin: 600, toMin: 660, why: 'consent' }],
      avoid: [],
      notes: '',
    };
    const put = await kit.server.call('PUT /farm/supply', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, ...supply },
    });
    expect(put.statusCode, put.body).toBe(200);
    // Three of 4 L/s from 01:00 to 01:45.
    expect((await ofSupply()).map(({ text }) => text)).toEqual([
      'The set as a whole: Up to 12 L/s are drawn and the pump gives 10, first from 01:00 to 01:45.',
      expect.stringContaining('waters outside the hours that are allowed, first from 01:00 to 01:45.'),
    ]);
  });

  it('of 930 sprinklers names whom it leaves out: spare ones, and those of the group that the set has nothing for', async () => {
    await begin(932, 9.4);
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units.slice(0, 930), entries);
    await db()
      .updateTable('device')
      .set({ settings: JSON.stringify({ isSpareUnit: true }) })
      .where('id', '=', driver.units[931]!.id)
      .execute();
    await buildWanted(db(), driver.farm.id, [driver.units[930]!], entries);
    const found = await plan('SendScheduleSet', { setUID, groupUID });
    expect(found).toMatchObject({ total: 930, toDo: 930, notInSet: 0 });
    expect(found.findings.filter(({ kind }) => kind !== 'outOfContact')).toEqual([
      {
        kind: 'keepsSchedule',
        text: '1 sprinkler is not in this set and keeps what it holds.',
        count: 1,
        names: ['U931'],
      },
      {
        kind: 'outOfService',
        text: '1 sprinkler is spare or out of service and is left out.',
        count: 1,
        names: ['U932'],
      },
    ]);
    // 930 × 9.4 s = 8,742 s after 21:00.
    expect(found.finish).toMatchObject({ expected: '2026-11-20T23:25:42.000Z' });
  });

  it('of a set for the whole farm says who is not cleared, where clearing was unticked', async () => {
    await begin(3, 9.4);
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units.slice(0, 2), entries);
    await buildWanted(db(), driver.farm.id, [driver.units[2]!], entries);
    const kinds = async (clearOthers: boolean) =>
      (await plan('SendScheduleSet', { setUID, clearOthers })).findings.map(({ kind, names }) => [
        kind,
        names,
      ]);
    expect(await kinds(true)).toContainEqual(['notInSet', ['U003']]);
    const kept = await kinds(false);
    expect(kept).toContainEqual(['keepsSchedule', ['U003']]);
    expect(kept.map(([kind]) => kind)).not.toContain('notInSet');
  });

  it('counts what is ahead of it, and says so', async () => {
    await driver.command('PollGroup', { payload: { groupUID } });
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    const found = await plan('SendScheduleSet', { setUID });
    expect(found.ahead).toEqual(['Poll Group, North, sent by Olive Owner: 75 sprinklers']);
    expect(found.gateways).toMatchObject([{ toDo: 75, ahead: 75, secondsEach: 9.4 }]);
    // 150 × 9.4 s = 1,410 s.
    expect(found.finish).toMatchObject({ expected: '2026-11-20T21:23:30.000Z' });
  });

  it('of a stop has nothing ahead of it but other stops', async () => {
    await driver.command('PollGroup', { payload: { groupUID } });
    expect((await plan('TurnGroupValvesOff', { groupUID })).ahead).toEqual([]);
  });

  it('says "at most" where nothing is known of the pace, and names gateways that are away', async () => {
    await begin(10, null);
    await db()
      .updateTable('gateway_state')
      .set({ online: false })
      .where('device_id', '=', driver.gateway.id)
      .execute();
    const { finish, findings } = await plan('PollGroup', { groupUID });
    expect(finish).toEqual({ atMost: '2026-11-20T21:30:00.000Z' });
    expect(findings[0]).toMatchObject({
      kind: 'gatewayAway',
      text: `${driver.gateway.name} is offline: its part waits until it is back.`,
    });
  });

  it('is refused as the command itself would be', async () => {
    const reply = await kit.server.call('POST /commands/plan', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, type: commandTypes.PollGroup, payload: { groupUID: 'a'.repeat(24) } },
    });
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      404,
      'This farm has no such group.',
    ]);
  });
});

describe('the same tap', () => {
  it('sent twice is one command', async () => {
    const request = { mac: driver.units[0]?.mac, requestId: 'dialog-0001' };
    const first = await driver.command('ValveOn', request);
    expect(await driver.queue('ValveOn', request)).toBe(first);
    expect(await driver.queue('ValveOn', { ...request, requestId: 'dialog-0002' })).not.toBe(first);
    expect(driver.messages('cmd')).toHaveLength(1);
  });

  it.each(['member', 'header'])('sent five times at once is one command, named by a %s', async (by) => {
    const { mac } = driver.units[0] ?? {};
    const before = driver.messages('cmd').length;
    const name = `five-taps-${by}`;
    const request = { farmUID: driver.farm.uid, type: commandTypes.ValveOn, mac };
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        kit.server.call('POST /commands/send', {
          headers: { ...driver.headers, ...(by === 'header' && { 'idempotency-key': name }) },
          body: { ...request, ...(by === 'member' && { requestId: name }) },
        }),
      ),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(replies.map((reply) => reply.json<{ commandId: string }>().commandId)).size).toBe(1);
    await expect.poll(() => driver.messages('cmd').length - before).toBe(1);
  });
});

describe('all schedules of a gateway', () => {
  it('are what the farm waters by, and leave held-back units as they are', async () => {
    const before = await driver.send('IncScheduleAll', {});
    expect([before.statusCode, before.json<{ errorMessage: string }>().errorMessage]).toEqual([
      409,
      'No schedules have been sent to this farm yet. Please send a schedule set first.',
    ]);
    await begin(3, 1);
    await buildWanted(db(), driver.farm.id, driver.units, entries);
    await driver.reportsSchedule(driver.units[1]!, { ipcCrc: 'D6:DA' });
    await driver.command('IncScheduleAll', { mac: driver.gateway.mac });
    const sent = driver.messages('schedules').flatMap(({ body }) => body['units'] as { mac: string }[]);
    expect(sent.map(({ mac }) => mac)).toEqual([driver.units[0]?.mac, driver.units[2]?.mac]);
    // The gateway's own store of older schedules is never asked for.
    expect(driver.messages('cmd')).toEqual([]);
  });

  it('are those of the gateway that is named, and nobody is sent what another one hears', async () => {
    driver = await kit.farm({ units: 4, gateways: 2 });
    await buildWanted(db(), driver.farm.id, driver.units, entries);
    const { mac } = driver.gateways[1]!;
    const plan = async (request: object) => {
      const body = { farmUID: driver.farm.uid, type: commandTypes.IncScheduleAll, ...request };
      return kit.server.call('POST /commands/plan', { headers: driver.headers, body });
    };
    expect((await plan({ mac })).json()).toMatchObject({ total: 2, gateways: [{ toDo: 2 }] });
    expect((await plan({})).json()).toMatchObject({ total: 4 });
    // A MAC that is nobody's here isn't taken for the whole farm.
    expect((await plan({ mac: '0018B2FFFFF1' })).statusCode).toBe(404);
  });
});

describe('Refresh All', () => {
  it('asks those that the gateway hears that is named, and without a name all of the farm', async () => {
    driver = await kit.farm({ units: 4, gateways: 2 });
    const [, other] = driver.gateways;
    await driver.command('RefreshAll', { mac: other?.mac });
    const asked = () =>
      driver.messages('cmd').map(({ topic, body }) => [topic, (body['payload'] as { macs: string[] }).macs]);
    const [u1, u2, u3, u4] = driver.units.map(({ mac }) => mac);
    const [first, second] = driver.gateways.map(({ mac }) => `headrace/v1/${mac}/down/cmd`);
    expect(asked()).toEqual([[second, [u2, u4]]]);
    await driver.command('RefreshAll', {});
    await eventually(() => asked().length > 1);
    expect(asked()[1]).toEqual([first, [u1, u3]]);
    expect((await driver.send('RefreshAll', { mac: '0018B2FFFFF1' })).statusCode).toBe(404);
  });
});

describe('a change of the cycle alone', () => {
  const sendsTo = async (supports: string[]) => {
    await begin(2, 1);
    await driver.hello({ supports, listRev: 1 });
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units, entries);
    await driver.reportsSchedule(driver.units[0]!, { ipcCrc: scheduleCrc(entries), cycleLen: 2 });
    kit.pass(20);
    const uid = await driver.command('SendScheduleSet', { payload: { setUID } });
    return (await driver.detail(uid)).units.find(({ name }) => name === 'U001');
  };

  it('is not said to be done: a gateway that knows of cycles is told', async () => {
    expect(await sendsTo(['cycleLen'])).toMatchObject({ state: 'sent' });
    expect(driver.messages('schedules')[0]?.body['cycleLen']).toBe(1);
  });

  it('fails with the reason where the gateway cannot be told', async () => {
    expect(await sendsTo([])).toMatchObject({
      state: 'failed',
      note: 'Only the length of the cycle differs, which its gateway cannot be told. Change a time of it too, or update the gateway.',
    });
  });
});
