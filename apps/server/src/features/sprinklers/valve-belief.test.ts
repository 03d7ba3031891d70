import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FarmOverview, IpcStatus } from '@headrace/contract/groups';
import { buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What the valve of a unit is taken to do, from what it said, what it was told and what its schedule has for it. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 05:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T16:00:00Z');
  driver = await kit.farm();
});

const unit = () => {
  const [only] = driver.units;
  if (!only) throw new Error('no unit');
  return only;
};
const overview = async () =>
  (
    await kit.server.call('GET /irrigation/status', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid },
    })
  ).json<FarmOverview>();
async function status(): Promise<IpcStatus> {
  const [ipc] = (await overview()).ipcs;
  if (!ipc) throw new Error('no status');
  return ipc;
}
/** State, basis and cause; "closed said" where it is as it said. */
async function belief(): Promise<string> {
  const { belief: found, active } = await status();
  return found ? `${found.state} ${found.basis} ${found.cause} ${active}` : `closed said ${active}`;
}
/** 05:12 to 05:40 every day. */
async function waterInTheMorning(): Promise<void> {
  const { db } = kit.server.database;
  await buildWanted(db, driver.farm.id, [unit()], [{ start: 312, duration: 28, cycle: 1 }]);
}
const says = (valve: 'open' | 'closed', at?: Date) => driver.reportsValve(unit(), valve, at);

describe('by its schedule', () => {
  it('open, overdue once its run is over by more than five minutes, and closed when it says so', async () => {
    await waterInTheMorning();
    await says('closed');
    expect(await belief()).toBe('closed said false');
    kit.pass(12);
    expect(await belief()).toBe('mayBeOpen planned schedule true');
    kit.pass(1);
    await says('open');
    const opened = kit.clock.now.getTime();
    expect(await belief()).toBe('open said schedule true');
    kit.pass(32);
    expect(await belief()).toBe('open said schedule true');
    kit.pass(1);
    expect(await belief()).toBe('openOverdue said schedule true');
    // It says so again, and is on the map, in the counts and in the list for days.
    kit.pass(600);
    await says('open');
    expect((await status()).belief).toMatchObject({
      state: 'openOverdue',
      since: kit.clock.now.getTime(),
      until: Date.parse('2026-11-20T16:40:00Z'),
    });
    kit.pass(3 * 1440);
    expect(await belief()).toBe('openOverdue said schedule true');
    expect(await overview()).toMatchObject({ ipcsActive: 1, ipcs: [{ condition: 1000 }] });
    await says('closed');
    expect(await belief()).toBe('closed said false');
    expect(opened).toBeLessThan((await status()).valveAt);
  });

  it('not known after a run of which nothing was heard', async () => {
    await waterInTheMorning();
    await says('closed');
    kit.pass(60);
    expect(await belief()).toBe('unknown said none false');
  });

  it('reports out of order are as reports in order', async () => {
    await waterInTheMorning();
    kit.pass(600);
    const at = (time: string) => new Date(`2026-11-20T${time}Z`);
    await says('open', at('23:00:00'));
    await says('closed', at('16:41:00'));
    await says('open', at('16:13:00'));
    expect((await status()).belief).toMatchObject({
      state: 'open',
      cause: 'unknown',
      since: at('23:00:00').getTime(),
    });
  });
});

describe('by a command', () => {
  const on = async () => {
    const uid = await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
    await driver.answers(uid, 'done');
  };

  it('not known while it is asked, open by its answer, overdue past its limit', async () => {
    await says('closed');
    const uid = await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
    expect(await belief()).toBe('unknown said none false');
    await driver.answers(uid, 'done');
    expect(await belief()).toBe('open answered command true');
    kit.pass(36);
    expect(await belief()).toBe('openOverdue answered command true');
    await says('closed');
    expect(await belief()).toBe('closed said false');
  });

  it('not known after one that was never answered, until the unit says so', async () => {
    await says('closed');
    await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
    kit.pass(120);
    await kit.tick();
    expect(await belief()).toBe('unknown said none false');
    await says('closed');
    expect(await belief()).toBe('closed said false');
  });

  it('open for as long as a second Valve On that was never answered may keep it open', async () => {
    await on();
    await says('open');
    kit.pass(20);
    await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 120 } });
    // 36 minutes after the first, which was to close it after 30. The second may begin ten minutes after it was sent, at 05:30.
    kit.pass(16);
    expect((await status()).belief).toMatchObject({
      state: 'open',
      cause: 'command',
      until: Date.parse('2026-11-20T18:30:00Z'),
    });
  });

  it('closed by the answer to a Valve Off, also when its schedule had opened it', async () => {
    await says('open');
    expect(await belief()).toBe('open said unknown true');
    kit.pass(1);
    await driver.answers(await driver.command('ValveOff'), 'done');
    expect(await belief()).toBe('closed answered none false');
    kit.pass(1);
    await on();
    expect(await belief()).toBe('open answered command true');
  });

  it('nothing of it is known of the unit that took its place', async () => {
    await on();
    await says('open');
    const uid = await driver.command('Replace', {
      mac: unit().mac,
      payload: { serialNumber: 'IPC-NEW', mac: '0004A30B001C0599' },
    });
    await driver.answers(uid, 'done');
    const place = (await overview()).ipcs.find(({ serial }) => serial === 'IPC-NEW');
    expect(place).toMatchObject({ active: false, valveOpen: null, valveAt: 0 });
    expect(place?.belief?.state).not.toBe('open');
  });
});
