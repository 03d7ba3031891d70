import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SendPlan } from '@headrace/contract/commands';
import type { FarmOverview, IpcStatus } from '@headrace/contract/groups';
import { commandTypes } from '@headrace/device/commands';
import type { DeviceRow } from '../../db/schema.ts';
import { buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import { eventually } from '../commands/testing/eventually.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What sprinklers are to water by, and what they hold, as it shows on the map and in what is sent. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const unit = (index = 0): DeviceRow => {
  const found = driver.units[index];
  if (!found) throw new Error('no unit');
  return found;
};
const mac = (index: number) => unit(index).mac ?? '';
const spring = [{ start: 720, duration: 60, cycle: 1 }];
const summer = [{ start: 780, duration: 45, cycle: 1 }];
// CRC-16/CCITT-FALSE of 720, 60, 1 and of 780, 45, 1 as 16-bit words; reckoned with Python's binascii.crc_hqx(…, 0xFFFF).
const springCrc = '12:57';
const summerCrc = '9F:6D';
/** 12:00 and 13:00 of that day. */
const springStart = Date.parse('2026-11-20T23:00:00Z');
const summerStart = Date.parse('2026-11-21T00:00:00Z');

const setOf = (units: readonly DeviceRow[], entries: typeof spring) =>
  buildScheduleSet(kit.server.database.db, driver.farm.id, units, entries);
const send = (setUID: string, more = {}) =>
  driver.command('SendScheduleSet', { payload: { setUID, groupUID: 'FARM', ...more } });
const holds = (index: number, ipcCrc: string, at?: Date) =>
  driver.reportsSchedule(unit(index), { ipcCrc, cycleLen: 1 }, at);

async function status(index = 0): Promise<IpcStatus> {
  const reply = await kit.server.call('GET /irrigation/status', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid },
  });
  const found = reply.json<FarmOverview>().ipcs.find(({ id }) => id === unit(index).uid);
  if (!found) throw new Error('no status');
  return found;
}
/** The checksum that is wanted, whether that is wrong, and when it waters next. */
async function watersBy(index = 0) {
  const { inc_crc, hasScheduleError, activeAt } = await status(index);
  return [inc_crc, hasScheduleError, activeAt[0]?.startAt ?? null];
}

async function sendSpring(): Promise<void> {
  const uid = await send(await setOf(driver.units, spring));
  await driver.answers('set-1', 'done', { mac: mac(0) });
  await driver.answers('set-1', 'done', { mac: mac(1) });
  await driver.reaches(uid, 'done');
}

describe('a sprinkler', () => {
  it('waters by what it holds until it answers that it took the next', async () => {
    await sendSpring();
    await send(await setOf(driver.units, summer));
    await driver.answers('set-2', 'done', { mac: mac(1) });
    expect(await watersBy(0)).toEqual([summerCrc, false, springStart]);
    expect(await watersBy(1)).toEqual([summerCrc, false, summerStart]);
    // Its own word: it still holds the one before.
    await holds(0, springCrc);
    expect(await watersBy(0)).toEqual([summerCrc, true, springStart]);
    kit.pass(1);
    await holds(0, summerCrc);
    expect(await watersBy(0)).toEqual([summerCrc, false, summerStart]);
  });

  it('that holds what Headrace did not send waters nobody knows when', async () => {
    await sendSpring();
    kit.pass(1);
    await holds(0, '12:34');
    expect(await watersBy(0)).toEqual([springCrc, true, null]);
    await driver.reportsValve(unit(0), 'open');
    expect((await status(0)).belief).toMatchObject({ state: 'open', basis: 'said', cause: 'foreign' });
  });

  it('that is inhibited keeps what it holds, and waters by it when it says so again', async () => {
    await sendSpring();
    kit.pass(1);
    await holds(0, 'D6:DA');
    // 12:10, in the middle of its watering.
    kit.clock.now = new Date(springStart + 600_000);
    expect(await status(0)).toMatchObject({ isInhibited: true, active: false });
    await holds(0, springCrc);
    expect(await status(0)).toMatchObject({ isInhibited: false, active: true });
  });

  it('does not go back by a report that comes late', async () => {
    await sendSpring();
    await holds(0, '12:34', new Date('2026-11-20T20:30:00Z'));
    expect(await watersBy(0)).toEqual([springCrc, true, springStart]);
    kit.pass(10);
    await holds(0, springCrc);
    await holds(0, '12:34', new Date('2026-11-20T21:05:00Z'));
    expect(await watersBy(0)).toEqual([springCrc, false, springStart]);
  });

  it('that takes the place of another is to hold the same, and nobody knows what it holds', async () => {
    await sendSpring();
    await holds(0, '12:34');
    const replace = await driver.command('Replace', {
      mac: mac(0),
      payload: { serialNumber: 'NEW-1', mac: '0004A30B001C0531' },
    });
    await driver.answers(replace, 'done');
    const { rows } = await kit.server.database.pool.query(
      'select crc from unit_held where farm_id = $1 and device_id = $2 and until is null',
      [driver.farm.id, unit(0).id],
    );
    expect(rows).toEqual([]);
    const found = (
      await kit.server.call('GET /irrigation/status', {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid },
      })
    )
      .json<FarmOverview>()
      .ipcs.find(({ serial }) => serial === 'NEW-1');
    expect(found).toMatchObject({ inc_crc: springCrc, ipc_crc: null, hasScheduleError: false });
  });
});

describe('a send that is cancelled', () => {
  it('leaves those that it did not reach with what they were to water by, and the farm with its set', async () => {
    await sendSpring();
    const setUID = await setOf(driver.units, summer);
    // Only one unit's message goes out at a time.
    const poll = await driver.command('Poll', { mac: mac(1) });
    const uid = await send(setUID);
    expect(await watersBy(1)).toEqual([summerCrc, false, springStart]);
    const reply = await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: uid, type: commandTypes.SendScheduleSet },
    });
    expect(reply.json()).toMatchObject({ cancelled: 1 });
    expect(await watersBy(0)).toEqual([summerCrc, false, springStart]);
    expect(await watersBy(1)).toEqual([springCrc, false, springStart]);
    const { rows } = await kit.server.database.pool.query(
      'select s.uid from farm f join schedule_set s on s.farm_id = f.id and s.id = f.current_set_id where f.id = $1',
      [driver.farm.id],
    );
    expect(rows).not.toEqual([{ uid: setUID }]);
    await driver.answers(poll, 'done');
  });
});

describe('a send that is cancelled half-way and gone back on', () => {
  const goBack = (commandId: string) =>
    kit.server.call('POST /commands/go-back', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId, type: commandTypes.SendScheduleSet },
    });

  it('sends those that it reached, also one that has not answered, what they had before', async () => {
    await sendSpring();
    const setUID = await setOf(driver.units, summer);
    const poll = await driver.command('Poll', { mac: mac(1) });
    const uid = await send(setUID);
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: uid, type: commandTypes.SendScheduleSet },
    });
    const reply = await goBack(uid);
    expect(reply.statusCode).toBe(200);
    expect([(await watersBy(0))[0], (await watersBy(1))[0]]).toEqual([springCrc, springCrc]);
    await eventually(() => driver.messages('schedules').at(-1)?.body['setId'] !== setUID);
    expect(driver.messages('schedules').at(-1)?.body['units']).toMatchObject([
      { mac: mac(0), crc: springCrc, entries: spring },
    ]);
    // Once is enough.
    expect((await goBack(uid)).statusCode).toBe(409);
    await driver.answers(poll, 'done');
  });

  it('inhibits those again that were inhibited before it and that it let water', async () => {
    await sendSpring();
    const inhibit = await driver.command('Inhibit', { mac: mac(0) });
    await driver.answers(inhibit, 'done');
    kit.pass(1);
    await holds(0, 'D6:DA');
    const setUID = await setOf(driver.units, summer);
    const poll = await driver.command('Poll', { mac: mac(1) });
    const uid = await send(setUID, { alsoInhibited: true });
    await driver.answers('set-2', 'done', { mac: mac(0) });
    kit.pass(1);
    await holds(0, summerCrc);
    expect(await status(0)).toMatchObject({ isInhibited: false });
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: uid, type: commandTypes.SendScheduleSet },
    });
    const none = { count: 0, names: [] };
    expect((await driver.detail(uid)).goBack).toEqual({
      answered: 1,
      out: none,
      outOfContact: none,
      inhibited: { count: 1, names: ['U001'] },
    });
    const reply = await goBack(uid);
    await kit.server.commands.done();
    const { commandId, inhibitId } = reply.json<{ commandId: string; inhibitId: string }>();
    expect((await driver.detail(inhibitId)).steps[0]?.note).toBe(
      'Inhibited again, as before a send that was cancelled and had let these water.',
    );
    expect(driver.messages('cmd').at(-1)?.body).toMatchObject({
      type: commandTypes.InhibitGroup,
      payload: { macs: [mac(0)] },
    });
    // What it had before is to be held again, and does not go to it: it would water by it.
    await driver.answers(inhibitId, 'done', { mac: mac(0) });
    await kit.server.commands.done();
    expect((await driver.detail(commandId)).units).toMatchObject([{ name: 'U001', state: 'skipped' }]);
    expect((await watersBy(0))[0]).toBe(springCrc);
    expect(driver.messages('schedules').at(-1)?.body['setId']).toBe(setUID);
    expect((await goBack(uid)).statusCode).toBe(409);
    await driver.answers(poll, 'done');
  });

  it('names those that have not answered, also who is out of contact', async () => {
    await sendSpring();
    for (const index of [2, 3, 4])
      driver.units.push(
        await buildSprinkler(kit.server.database.db, driver.farm.id, {
          name: `U00${index + 1}`,
          gateway: driver.gateway,
        }),
      );
    const asked = [unit(0), unit(2), unit(3), unit(4)];
    await driver.reportsValve(unit(2), 'closed', new Date(kit.clock.now.getTime() - 40 * 86_400_000));
    await driver.reportsValve(unit(3), 'closed');
    const poll = await driver.command('Poll', { mac: mac(4) });
    const uid = await send(await setOf(asked, summer), { clearOthers: false });
    await driver.answers('set-2', 'done', { mac: mac(0) });
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: uid, type: commandTypes.SendScheduleSet },
    });
    expect((await driver.detail(uid)).goBack).toEqual({
      answered: 1,
      out: { count: 1, names: ['U004'] },
      outOfContact: { count: 0, names: [] },
      inhibited: { count: 0, names: [] },
    });
    await driver.answers(poll, 'done');
  });

  it('is refused for one that was not cancelled', async () => {
    expect((await goBack(await send(await setOf(driver.units, summer)))).statusCode).toBe(409);
  });
});

describe('a send that replaces one which never went out', () => {
  it('and is cancelled leaves what the unit was to water by before both', async () => {
    await sendSpring();
    const poll = await driver.command('Poll', { mac: mac(1) });
    await send(await setOf(driver.units, summer));
    const last = await send(await setOf(driver.units, [{ start: 840, duration: 30, cycle: 1 }]));
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: last, type: commandTypes.SendScheduleSet },
    });
    // The other unit was told of both.
    expect((await watersBy(1))[0]).toBe(springCrc);
    await driver.answers(poll, 'done');
  });
});

describe('a set that has nothing for some of the farm', () => {
  const sent = () =>
    driver.messages('schedules').flatMap(({ body }) => body['units'] as { mac: string; crc: string }[]);

  it('clears them: they would water on by what they hold', async () => {
    await sendSpring();
    const setUID = await setOf([unit(0)], summer);
    const plan = await kit.server.call('POST /commands/plan', {
      headers: driver.headers,
      body: {
        farmUID: driver.farm.uid,
        type: commandTypes.SendScheduleSet,
        payload: { setUID, groupUID: 'FARM' },
      },
    });
    expect(plan.json<SendPlan>()).toMatchObject({ total: 2, notInSet: 1 });
    expect(plan.json<SendPlan>().findings).toContainEqual({
      kind: 'notInSet',
      text: '1 sprinkler is not in this set and is cleared: it waters no more.',
      count: 1,
      names: ['U002'],
    });
    await send(setUID);
    expect(sent().slice(2)).toEqual([
      { mac: mac(0), crc: summerCrc, entries: summer },
      { mac: mac(1), crc: 'D6:DA', entries: [] },
    ]);
    // Until it has answered it waters.
    expect(await watersBy(1)).toEqual(['D6:DA', false, springStart]);
    await driver.answers('set-2', 'done', { mac: mac(1) });
    expect(await watersBy(1)).toEqual(['D6:DA', false, null]);
  });

  it('clears one that says that it holds none: it may be inhibited', async () => {
    await sendSpring();
    kit.pass(20);
    await holds(1, 'D6:DA');
    kit.pass(20);
    await send(await setOf([unit(0)], summer));
    expect(sent().map((each) => each.mac)).toContain(mac(1));
  });

  it('leaves them alone where that is asked for, and those that never held anything', async () => {
    driver.units.push(await buildSprinkler(kit.server.database.db, driver.farm.id, { name: 'U003' }));
    const one = await send(await setOf([unit(0), unit(1)], spring));
    expect((await driver.detail(one)).units.map(({ name }) => name)).toEqual(['U001', 'U002']);
    const two = await send(await setOf([unit(0)], summer), { clearOthers: false });
    expect((await driver.detail(two)).units.map(({ name }) => name)).toEqual(['U001']);
    expect((await watersBy(1))[0]).toBe(springCrc);
  });
});
