import { alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildTank, setGatewayOnline } from '../../testing/factories.ts';
import { recordReadings } from '../../testing/record-readings.ts';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What units say of their schedules while a new one is on its way to them is no error, nor is anything in a farm's usual week. */
let kit: CommandsKit;
let driver: FarmDriver;
const HOUR = 60;
// CRC-16/CCITT-FALSE of 720, 60, 1 as 16-bit words; reckoned with Python's binascii.crc_hqx(…, 0xFFFF).
const spring = { entries: [{ start: 720, duration: 60, cycle: 1 }], crc: '12:57' };
const summer = { entries: [{ start: 780, duration: 45, cycle: 1 }] };
const FOREIGN = 'AB:CD';

beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
  driver = await kit.farm({ units: 2 });
  await buildRule(kit.server.database.db, driver.farm.id, {
    kind: 'SprinklerError',
    condition: 'any',
    value: null,
    hold_min: 60,
  });
  await send(spring);
  await answer('set-1', 'done');
  await say(spring.crc);
  // Heard a few times a day.
  kit.pass(7 * HOUR);
  await setGatewayOnline(kit.server.database.db, driver.gateway, kit.clock.now);
});

async function send({ entries }: typeof summer): Promise<void> {
  const setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, driver.units, entries);
  await driver.command('SendScheduleSet', { payload: { setUID, groupUID: 'FARM' } });
}
async function answer(cmdId: string, state: 'done' | 'failed'): Promise<void> {
  for (const { mac } of driver.units) await driver.answers(cmdId, state, { mac: mac ?? '' });
}
async function say(ipcCrc: string): Promise<void> {
  for (const unit of driver.units) await driver.reportsSchedule(unit, { ipcCrc, cycleLen: 1 });
}
/** Looks now and after so many minutes, and at each quarter of an hour until then. */
async function lookFor(minutes: number): Promise<void> {
  for (let left = minutes; left >= 0; left -= 15) {
    kit.server.committed(new Set([driver.farm.id]));
    await kit.server.runJob('alerts');
    if (left > 0) kit.pass(Math.min(15, left));
  }
}
async function notices(): Promise<string[]> {
  const reply = await kit.server.call('GET /notifications', { headers: driver.headers });
  const { list } = reply.json<{ list: { message: string }[] }>();
  return list.map(({ message }) => message).filter((message) => message.includes('schedule error'));
}
const episodes = () =>
  kit.server.database.db
    .selectFrom('alert_episode')
    .select('state')
    .where('farm_id', '=', driver.farm.id)
    .execute();

describe('units last heard hours before a send', () => {
  it('tell nothing while it waits for their answers, nor once they have taken it and were not heard since', async () => {
    await send(summer);
    await lookFor(7 * HOUR);
    expect([await notices(), await episodes()]).toEqual([[], []]);
    await answer('set-2', 'done');
    await lookFor(7 * HOUR);
    expect([await notices(), await episodes()]).toEqual([[], []]);
  });

  it('tell nothing while the schedule waits for them to be heard', async () => {
    await send(summer);
    await answer('set-2', 'failed');
    await lookFor(7 * HOUR);
    expect([await notices(), await episodes()]).toEqual([[], []]);
  });

  it('tell nothing for six hours after the send where nothing goes to them any more, and then do', async () => {
    await send(summer);
    await answer('set-2', 'failed');
    await kit.server.database.db
      .updateTable('unit_program')
      .set({ catch_up_until: null })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    await lookFor(6 * HOUR - 1);
    expect(await notices()).toEqual([]);
    kit.pass(1);
    await lookFor(0);
    expect(await notices()).toEqual([expect.stringContaining('The ipc has a schedule error!')]);
  });
});

it('a unit that says another schedule after it took the sent one is told of after six hours of that', async () => {
  await send(summer);
  await answer('set-2', 'done');
  kit.pass(HOUR);
  await say(FOREIGN);
  await lookFor(6 * HOUR - 1);
  expect(await notices()).toEqual([]);
  kit.pass(1);
  await lookFor(0);
  expect(await notices()).toEqual([expect.stringContaining('The ipc has a schedule error!')]);
});

describe('a farm in its usual week', () => {
  const usual = [
    ['OutOfContact', 'longer than', null, 'gateway'],
    ['OutOfContact', 'longer than', null, 'sprinkler'],
    ['OutOfContact', 'longer than', null, 'tank'],
    ['TankLow', 'below', 20, null],
    ['TankHigh', 'above', 95, null],
    ['TankLeak', 'any', null, null],
    ['LowBattery', 'below', null, null],
    ['PumpRuns', 'any', null, null],
    ['EmptySoon', 'within', 2, null],
    ['ValveOpen', 'any', null, null],
    ['Missed', 'above', 5, null],
    ['CommandFailed', 'any', null, null],
  ] as const;
  const look = async () => {
    kit.server.committed(new Set([driver.farm.id]));
    await kit.server.runJob('alerts');
  };

  it('waters, is sent a schedule that takes hours, flickers, and is told nothing', async () => {
    const { database } = kit.server;
    const { db } = database;
    for (const [kind, condition, value, watch] of usual)
      await buildRule(db, driver.farm.id, {
        kind,
        name: kind,
        condition,
        value,
        watch,
        hold_min: alertKindInfo[kind].holdMin,
      });
    const tank = await buildTank(db, driver.farm.id, {
      name: 'Trough 4',
      settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
    });
    const level = (percent: number) =>
      recordReadings(database, driver.farm, tank, [
        { at: kit.clock.now.toISOString(), values: { levelMm: percent * 10, batteryV: 3.9 } },
      ]);
    const valves = async (valve: 'open' | 'closed') => {
      for (const unit of driver.units) await driver.reportsValve(unit, valve);
      await look();
    };
    const battery = async (hasBatteryError: boolean) => {
      const [unit] = driver.units;
      await driver.says('ipc', {
        items: [{ mac: unit?.mac, at: kit.clock.now.toISOString(), hasBatteryError }],
      });
      await look();
    };
    const holds = driver.units.map(() => spring.crc);
    const passed = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        kit.pass(60);
        // By the farm's clock, 13 h ahead.
        const clock = (kit.clock.now.getUTCHours() + 13) % 24;
        await setGatewayOnline(db, driver.gateway, kit.clock.now);
        // Stock drink by day, and what they drank comes by night.
        await level(60 + (clock < 6 ? 3 * clock : clock < 20 ? 18 - Math.floor((18 * (clock - 6)) / 14) : 0));
        if (clock % 6 === 0)
          for (const [index, unit] of driver.units.entries())
            await driver.reportsSchedule(unit, { ipcCrc: holds[index] ?? '', cycleLen: 1 });
        await look();
        const starts = holds.includes(spring.crc) ? 12 : 13;
        if (clock === starts) await valves('open');
        if (clock === starts) kit.pass(starts === 12 ? 60 : 45);
        if (clock === starts) await valves('closed');
        if (clock === starts && starts === 13) kit.pass(15);
        if (clock === starts) hour += 1;
      }
    };
    // In the evening.
    await passed(2);
    await send(summer);
    const [first, second] = driver.units;
    await driver.answers('set-2', 'done', { mac: first?.mac ?? '' });
    holds[0] = scheduleCrc(summer.entries);
    await passed(3);
    await driver.answers('set-2', 'done', { mac: second?.mac ?? '' });
    holds[1] = scheduleCrc(summer.entries);
    await passed(24);
    // Its network is away for some minutes.
    await db
      .updateTable('gateway_state')
      .set({ online: false, state_at: kit.clock.now })
      .where('device_id', '=', driver.gateway.id)
      .execute();
    for (let minute = 0; minute < 6; minute += 1) {
      kit.pass(1);
      await look();
    }
    await passed(24);
    // A gust under the lid, and a cloud over a panel.
    await level(18);
    await battery(true);
    kit.pass(10);
    await level(70);
    await battery(false);
    await passed(5 * 24 - 5);
    const reply = await kit.server.call('GET /alert/incidents', {
      headers: await kit.server.signIn(driver.owner),
      query: { farmUID: driver.farm.uid },
    });
    expect(reply.json()).toMatchObject({ open: [], ended: [] });
    const { list } = (
      await kit.server.call('GET /notifications', { headers: await kit.server.signIn(driver.owner) })
    ).json<{ list: unknown[] }>();
    expect(list).toEqual([]);
    // Some two hundred looks one after the other: a busy machine takes more than a minute for them.
  }, 180_000);
});
