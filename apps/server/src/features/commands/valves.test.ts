import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What is known of a valve that a command opened, and what is not. The limit is 30 minutes throughout. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm();
});

const unit = () => {
  const [only] = driver.units;
  if (!only) throw new Error('no unit');
  return only;
};
const on = () => driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
const valveOf = async (uid: string) => (await driver.detail(uid)).units[0]?.valve;
async function opened(): Promise<string> {
  const uid = await on();
  await driver.answers(uid, 'done');
  return uid;
}

describe('a valve that was opened', () => {
  it('is open until its limit, and nothing more is said while it may be', async () => {
    const uid = await opened();
    kit.pass(30);
    expect(await valveOf(uid)).toEqual({
      openedAt: '2026-11-20T21:00:00.000Z',
      closesBy: '2026-11-20T21:30:00.000Z',
      closedAt: null,
      why: '',
    });
  });

  it('and is not reported closed past its limit is said to be so', async () => {
    const uid = await opened();
    kit.pass(32);
    expect((await valveOf(uid))?.why).toBe(
      'It should have closed by itself, but the unit has not reported it yet.',
    );
  });

  const reports: [minutes: number, why: string][] = [
    [30, 'Closed by its own limit of 30 min.'],
    [12, 'Reported closed 12 min after it opened, before its limit of 30 min. What closed it is not known.'],
    [300, 'Reported closed after its limit of 30 min had passed.'],
  ];
  for (const [minutes, why] of reports)
    it(`and is reported closed after ${minutes} min: ${why}`, async () => {
      const uid = await opened();
      kit.pass(minutes);
      await driver.reportsValve(unit(), 'closed');
      expect(await valveOf(uid)).toMatchObject({ closedAt: kit.clock.now.toISOString(), why });
      expect((await driver.detail(uid)).steps.at(-1)).toMatchObject({ state: 'closed', note: why });
    });

  it('is closed by a Valve Off that was carried out, without a report', async () => {
    const uid = await opened();
    kit.pass(10);
    const off = await driver.command('ValveOff');
    expect((await valveOf(uid))?.closedAt).toBeNull();
    await driver.answers(off, 'done');
    expect(await valveOf(uid)).toMatchObject({
      closedAt: '2026-11-20T21:10:00.000Z',
      why: 'Closed by a Valve Off command.',
    });
  });

  it('is closed by the Valve Off whose answer comes after the report', async () => {
    const uid = await opened();
    kit.pass(10);
    const off = await driver.command('ValveOff');
    await driver.reportsValve(unit(), 'closed');
    await driver.answers(off, 'done');
    expect((await valveOf(uid))?.why).toBe('Closed by a Valve Off command.');
  });

  it('again by a later command counts there', async () => {
    const first = await opened();
    kit.pass(10);
    const second = await opened();
    expect(await valveOf(first)).toMatchObject({
      closedAt: '2026-11-20T21:10:00.000Z',
      why: 'Opened again by a later command.',
    });
    kit.pass(30);
    await driver.reportsValve(unit(), 'closed');
    expect((await valveOf(first))?.closedAt).toBe('2026-11-20T21:10:00.000Z');
    expect((await valveOf(second))?.why).toBe('Closed by its own limit of 30 min.');
  });

  it('does not take an older report for its closing', async () => {
    const before = kit.clock.now;
    kit.pass(5);
    const uid = await opened();
    await driver.reportsValve(unit(), 'closed', before);
    expect((await valveOf(uid))?.closedAt).toBeNull();
  });
});

describe('a Valve On whose answer got lost', () => {
  it('is done when the unit reports its valve open', async () => {
    const uid = await on();
    kit.pass(2);
    await driver.reportsValve(unit(), 'open');
    const { command, units } = await driver.detail(uid);
    expect(command.state).toBe('done');
    expect(units[0]).toMatchObject({
      note: 'The unit itself reports its valve open.',
      valve: { openedAt: '2026-11-20T21:02:00.000Z', closesBy: '2026-11-20T21:32:00.000Z' },
    });
  });

  it('lets the next command go out', async () => {
    await on();
    const next = await driver.queue('Poll');
    kit.pass(2);
    await driver.reportsValve(unit(), 'open');
    await driver.reaches(next, 'sent');
  });

  it('is done also when the report comes after its time ran out', async () => {
    const uid = await on();
    kit.pass(11);
    await kit.tick();
    await driver.reportsValve(unit(), 'open', new Date('2026-11-20T21:03:00Z'));
    expect((await driver.detail(uid)).command.state).toBe('done');
    expect((await valveOf(uid))?.openedAt).toBe('2026-11-20T21:03:00.000Z');
  });

  it('is not done by a report from before it went out', async () => {
    const before = new Date(kit.clock.now.getTime() - 60_000);
    const uid = await on();
    await driver.reportsValve(unit(), 'open', before);
    expect((await driver.detail(uid)).command.state).toBe('sent');
  });

  it('heard of after the valve was reported closed is not said to be open', async () => {
    const uid = await on();
    kit.pass(30);
    await driver.reportsValve(unit(), 'closed');
    await kit.tick();
    kit.pass(15);
    await driver.answers(uid, 'done', { at: '2026-11-20T21:00:00Z' });
    expect(await valveOf(uid)).toMatchObject({
      closedAt: '2026-11-20T21:30:00.000Z',
      why: 'Closed by its own limit of 30 min.',
    });
  });
});

describe('a valve that is open is not "failed"', () => {
  const openNote =
    'The unit itself reports its valve open, though the gateway had said failed. Whether this command or its schedule opened it is not known.';
  async function failed(): Promise<string> {
    const uid = await on();
    kit.pass(2);
    await driver.answers(uid, 'failed', { error: 'the unit did not answer' });
    return uid;
  }

  it('the answer was lost, the gateway says failed, the unit says open: it is watched until it is closed', async () => {
    const uid = await failed();
    kit.pass(1);
    await driver.reportsValve(unit(), 'open');
    const { command, units, steps } = await driver.detail(uid);
    expect([command.state, units[0]?.state, units[0]?.note]).toEqual(['done', 'done', openNote]);
    expect(units[0]?.valve).toMatchObject({
      openedAt: '2026-11-20T21:03:00.000Z',
      closesBy: '2026-11-20T21:33:00.000Z',
    });
    expect(steps.filter(({ name }) => name).map(({ state }) => state)).toEqual(['sent', 'failed', 'done']);
    kit.pass(32);
    expect((await valveOf(uid))?.why).toMatch(/^It should have closed by itself/);
    await driver.reportsValve(unit(), 'closed');
    expect((await valveOf(uid))?.closedAt).toBe('2026-11-20T21:35:00.000Z');
  });

  it('also by an open that is told after it was reported failed, but was before', async () => {
    const uid = await failed();
    await driver.reportsValve(unit(), 'open', new Date('2026-11-20T21:01:00Z'));
    expect((await valveOf(uid))?.openedAt).toBe('2026-11-20T21:01:00.000Z');
  });

  it('but an open long after its last moment to begin is not its own', async () => {
    const uid = await failed();
    kit.pass(18);
    await driver.reportsValve(unit(), 'open');
    expect(await driver.detail(uid)).toMatchObject({
      command: { state: 'failed' },
      units: [{ valve: null }],
    });
  });

  it('nor is one after a Valve Off that came later', async () => {
    const uid = await failed();
    const off = await driver.command('ValveOff');
    await driver.answers(off, 'done');
    kit.pass(1);
    await driver.reportsValve(unit(), 'open');
    expect((await driver.detail(uid)).command.state).toBe('failed');
  });

  it('nor is one of a Valve On that was never sent', async () => {
    kit.broker.take = () => Promise.reject(new Error('no broker'));
    await driver.queue('Uninhibit');
    const uid = await driver.queue('ValveOn', { mac: unit().mac });
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: uid, type: 2 },
    });
    kit.broker.take = async () => {};
    kit.pass(1);
    await driver.reportsValve(unit(), 'open');
    expect(await driver.detail(uid)).toMatchObject({
      command: { state: 'cancelled' },
      units: [{ valve: null }],
    });
  });

  it('nor does an older Valve On take what a newer one explains', async () => {
    const first = await failed();
    const second = await opened();
    kit.pass(1);
    await driver.reportsValve(unit(), 'closed');
    kit.pass(1);
    await driver.reportsValve(unit(), 'open');
    expect((await driver.detail(first)).command.state).toBe('failed');
    expect((await valveOf(second))?.closedAt).toBe('2026-11-20T21:03:00.000Z');
  });

  it('nor is it open when the unit or a Valve Off closed it before we heard of the opening', async () => {
    const closed = await failed();
    kit.pass(3);
    await driver.reportsValve(unit(), 'closed');
    await driver.reportsValve(unit(), 'open', new Date('2026-11-20T21:01:00Z'));
    expect(await valveOf(closed)).toMatchObject({ closedAt: '2026-11-20T21:05:00.000Z' });
    driver = await kit.farm();
    const offed = await failed();
    await driver.answers(await driver.command('ValveOff'), 'done');
    kit.pass(1);
    await driver.answers(offed, 'done', { at: new Date(kit.clock.now.getTime() - 150_000).toISOString() });
    expect(await valveOf(offed)).toMatchObject({ why: 'Closed by a Valve Off command.' });
  });
});
