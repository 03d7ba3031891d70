import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildRule } from '../../testing/alert-factories.ts';
import { setGatewayOnline } from '../../testing/factories.ts';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** A unit that holds another schedule than it is to hold is not in error while the new one is on its way to it. */
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
