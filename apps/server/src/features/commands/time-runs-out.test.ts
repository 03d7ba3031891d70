import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandName } from '@headrace/contract/command-types';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Commands that end without an answer, that are taken back, and answers that come after all. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
  driver = await kit.farm({ units: 2 });
});

const mac = (index: number) => driver.units[index]?.mac ?? '';
const messageOf = async (uid: string) => (await driver.detail(uid)).command.message;
const cancel = (body: object, headers = driver.headers) =>
  kit.server.call('POST /commands/cancel', { headers, body: { farmUID: driver.farm.uid, type: 1, ...body } });

describe('how long a command lives', () => {
  const minutes = async (commsMaxTTL: number, name: CommandName) => {
    await driver.says('status', { at: kit.clock.now.toISOString(), settings: { commsMaxTTL } });
    const { command } = await driver.detail(await driver.queue(name, { mac: mac(0) }));
    return (Date.parse(command.expiresAt) - kit.clock.now.getTime()) / 60_000;
  };

  it('follows what its gateway says, but what starts water never waits longer than ten minutes', async () => {
    expect(await minutes(300, 'Poll')).toBe(5);
    expect(await minutes(300, 'ValveOn')).toBe(5);
    expect(await minutes(1800, 'ValveOn')).toBe(10);
  });

  it('is an hour for a Valve Off, whatever its gateway says, and an Inhibit has no end by time', async () => {
    expect(await minutes(60, 'ValveOff')).toBe(60);
    expect(await minutes(60, 'Inhibit')).toBe(365 * 24 * 60);
  });

  it('is, for a Valve Off, as long as the opening that it is for may last', async () => {
    const on = await driver.command('ValveOn', { mac: mac(0), payload: { maxOpenMinutes: 1440 } });
    await driver.answers(on, 'done', { mac: mac(0) });
    const off = await driver.queue('ValveOff', { mac: mac(0) });
    // Open until 21:00 of the next day by its own limit, and half an hour for its clock.
    expect((await driver.detail(off)).command.expiresAt).toBe('2026-11-21T21:30:00.000Z');
  });

  it('is what the gateway is told, and past it nothing is sent or shown as if it were', async () => {
    await driver.says('status', { at: kit.clock.now.toISOString(), settings: { commsMaxTTL: 300 } });
    const sent = await driver.command('ValveOn', { mac: mac(0) });
    expect(driver.messages('cmd')[0]?.body['expiresAt']).toBe('2026-11-20T21:05:00.000Z');
    const waiting = await driver.queue('Poll', { mac: mac(0) });
    kit.pass(5);
    await driver.hello();
    await kit.tick();
    expect(driver.messages('cmd')).toHaveLength(1);
    expect((await driver.detail(sent)).command).toMatchObject({
      state: 'expired',
      stateAt: '2026-11-20T21:05:00.000Z',
    });
    expect(await messageOf(waiting)).toBe(
      'Poll: Not sent: its time ran out before the gateway could take it.',
    );
  });

  it('holds for the list that is sent by itself too', async () => {
    await driver.says('status', { at: kit.clock.now.toISOString(), settings: { commsMaxTTL: 1800 } });
    await kit.server.call('PUT /ipc', {
      headers: driver.headers,
      body: { id: driver.units[0]?.uid, name: 'B1', serialNumber: 'S1', macAddress: mac(0), channel: 7 },
    });
    await kit.tick();
    kit.pass(1);
    await kit.tick();
    const reply = await kit.server.call('GET /commands', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid },
    });
    expect(reply.json()).toMatchObject({
      commands: [{ type: 13, expiresAt: '2026-11-20T21:31:00.000Z' }],
    });
  });
});

describe('a command whose time runs out', () => {
  it('before it could be sent says that it was not sent', async () => {
    await driver.command('IpcReconfigure', { mac: mac(0) });
    const uid = await driver.queue('Poll', { mac: mac(0) });
    kit.pass(10);
    await kit.tick();
    expect(await messageOf(uid)).toBe('Poll: Not sent: its time ran out before the gateway could take it.');
  });

  it('while the broker may or may not have it does not claim that it was not sent', async () => {
    kit.broker.take = async () => {
      throw new Error('no answer of the broker');
    };
    const before = kit.problems.length;
    const uid = await driver.queue('Poll', { mac: mac(0) });
    await eventually(() => kit.problems.length > before);
    kit.pass(10);
    await kit.tick();
    expect(await messageOf(uid)).toBe(
      'Poll: No answer came in time: it is not known whether it was carried out.',
    );
  });

  it('after it was sent says that nobody knows', async () => {
    const uid = await driver.command('Poll', { mac: mac(0) });
    kit.pass(10);
    await kit.tick();
    const { command, units } = await driver.detail(uid);
    expect(command).toMatchObject({ state: 'expired', stateAt: '2026-11-20T21:10:00.000Z' });
    expect(command.message).toBe(`Poll: ${units[0]?.note}`);
    expect(units[0]?.note).toBe('No answer came in time: it is not known whether it was carried out.');
  });

  it('as an Off says so where the schedule of its unit has opened the valve again', async () => {
    // By the farm's clock 10:00 of the day on: one in half an hour, the other in two.
    const at = (start: number) => [{ start, duration: 40, cycle: 1 }];
    await holds(0, at(10 * 60 + 30));
    await holds(1, at(12 * 60));
    const off = await driver.command('TurnGroupValvesOff', { payload: { groupUID: 'FARM' } });
    kit.pass(61);
    await kit.tick();
    const unheard = 'No answer came in time: it is not known whether it was carried out.';
    expect((await driver.detail(off)).units.map(({ name, note }) => [name, note])).toEqual([
      ['U001', `${unheard} Its schedule should have begun anew since.`],
      ['U002', unheard],
    ]);
  });

  it('as an Off says nothing of that where its unit must not water', async () => {
    await holds(0, [{ start: 10 * 60 + 30, duration: 40, cycle: 1 }]);
    await driver.command('Inhibit', { mac: mac(0) });
    const off = await driver.command('ValveOff', { mac: mac(0) });
    kit.pass(61);
    await kit.tick();
    expect((await driver.detail(off)).units[0]?.note).toBe(
      'No answer came in time: it is not known whether it was carried out.',
    );
  });

  async function holds(index: number, schedule: { start: number; duration: number; cycle: number }[]) {
    const unit = driver.units[index]!;
    await buildWanted(kit.server.database.db, driver.farm.id, [unit], schedule);
    await driver.reportsSchedule(unit, { ipcCrc: scheduleCrc(schedule) });
  }

  it('after the gateway took it has five minutes more', async () => {
    const uid = await driver.command('Poll', { mac: mac(0) });
    await driver.answers(uid, 'accepted');
    kit.pass(14);
    await kit.tick();
    expect((await driver.detail(uid)).command.state).toBe('accepted');
    kit.pass(1);
    await kit.tick();
    expect(await messageOf(uid)).toBe('Poll: The gateway took it, but no result came in time.');
  });

  it('is done when the gateway says later that it was done in time', async () => {
    const uid = await driver.command('Poll', { mac: mac(0) });
    kit.pass(30);
    await kit.tick();
    await driver.answers(uid, 'done', { at: '2026-11-20T21:03:00Z' });
    expect((await driver.detail(uid)).command).toMatchObject({ state: 'done', message: 'Poll: done.' });
    expect((await driver.detail(uid)).units[0]?.at).toBe('2026-11-20T21:03:00.000Z');
  });

  it('is done when the gateway says that it was done after its time: what happened is true', async () => {
    const uid = await driver.command('Poll', { mac: mac(0) });
    kit.pass(30);
    await kit.tick();
    await driver.answers(uid, 'done', { at: '2026-11-20T21:12:00Z' });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });

  it('is under way again when the gateway had taken it in time, and stays ended when it had not', async () => {
    const early = await driver.command('Poll', { mac: mac(0) });
    const late = await driver.command('Poll', { mac: mac(1) });
    kit.pass(11);
    await kit.tick();
    await driver.answers(early, 'accepted', { at: '2026-11-20T21:09:00Z' });
    await driver.answers(late, 'accepted', { at: '2026-11-20T21:10:30Z' });
    expect((await driver.detail(early)).command.state).toBe('accepted');
    expect((await driver.detail(late)).command.state).toBe('expired');
  });

  it('is found among any number that the gateways are still busy with', async () => {
    const { pool } = kit.server.database;
    await pool.query(
      `with c as (insert into command (farm_id, uid, type, name, serial_number, payload, created_at, expires_at, state, state_at)
          select $1, 'busy' || n, 1, 'x', 'x', '{}', $3, $3::timestamptz + interval '10 minutes', 'accepted', $3
          from generate_series(1, 600) n returning farm_id, id)
        insert into command_unit (farm_id, command_id, device_id, gateway_id, position, lane, state, at)
          select farm_id, id, $2, $4, 0, 2, 'accepted', $3 from c`,
      [driver.farm.id, driver.units[1]?.id, kit.clock.now, driver.gateway.id],
    );
    const uid = await driver.command('Poll', { mac: mac(0) });
    kit.pass(11);
    await kit.tick();
    expect((await driver.detail(uid)).command.state).toBe('expired');
  });
});

describe('cancelling', () => {
  it('takes back what waits, and says so', async () => {
    await driver.command('IpcReconfigure', { mac: mac(0) });
    const uid = await driver.queue('Poll', { mac: mac(0) });
    const reply = await cancel({ commandId: uid });
    expect(reply.json()).toEqual({ cancelled: 1 });
    expect(await messageOf(uid)).toBe('Poll: cancelled before it was sent.');
  });

  it('of what the gateway has is refused with how it stands', async () => {
    const uid = await driver.command('Poll', { mac: mac(0) });
    const reply = await cancel({ commandId: uid });
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      409,
      'Nothing is left to cancel: Poll: sent, not answered yet.',
    ]);
    expect((await driver.detail(uid)).command.state).toBe('sent');
  });

  it('of what is just being handed over is refused, and it is not lost', async () => {
    let isReached = false;
    let isHeld = true;
    kit.broker.take = async () => {
      isReached = true;
      await eventually(() => !isHeld);
    };
    const uid = await driver.queue('Poll', { mac: mac(0) });
    await eventually(() => isReached);
    const reply = await cancel({ commandId: uid });
    isHeld = false;
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      errorMessage: 'Nothing is left to cancel: Poll: a gateway may have it already.',
    });
    await driver.reaches(uid, 'sent');
  });

  it('by another type, of another farm or of nothing finds nothing', async () => {
    await driver.command('IpcReconfigure', { mac: mac(0) });
    const uid = await driver.queue('Poll', { mac: mac(0) });
    expect((await cancel({ commandId: uid, type: 23 })).statusCode).toBe(404);
    expect((await cancel({ commandId: 'f'.repeat(24) })).statusCode).toBe(404);
    const stranger = await kit.farm();
    expect((await cancel({ commandId: uid }, stranger.headers)).statusCode).toBe(404);
    expect((await cancel({ commandId: uid, farmUID: stranger.farm.uid }, stranger.headers)).statusCode).toBe(
      404,
    );
    expect((await driver.detail(uid)).command.state).toBe('queued');
  });

  it('what a gateway did all the same is done', async () => {
    await driver.command('IpcReconfigure', { mac: mac(0) });
    const uid = await driver.queue('Poll', { mac: mac(0) });
    await cancel({ commandId: uid });
    const { pool } = kit.server.database;
    await pool.query(
      `update command_unit u set cmd_id = $1 from command c where c.id = u.command_id and c.uid = $1`,
      [uid],
    );
    await driver.answers(uid, 'accepted');
    expect((await driver.detail(uid)).command.state).toBe('cancelled');
    await driver.answers(uid, 'done');
    expect((await driver.detail(uid)).command.state).toBe('done');
  });
});
