import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmHand } from './testing/farm-hand.ts';

/** What is known of a valve that a command opened, and what is not. The limit is 30 minutes throughout. */
let kit: CommandsKit;
let hand: FarmHand;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  hand = await kit.farm();
});

const unit = () => {
  const [only] = hand.units;
  if (!only) throw new Error('no unit');
  return only;
};
const on = () => hand.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
const valveOf = async (uid: string) => (await hand.detail(uid)).units[0]?.valve;
async function opened(): Promise<string> {
  const uid = await on();
  await hand.answers(uid, 'done');
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
    [12, 'Closed by the unit itself, before its limit of 30 min.'],
    [300, 'Reported closed after its limit of 30 min had passed.'],
  ];
  for (const [minutes, why] of reports)
    it(`and is reported closed after ${minutes} min: ${why}`, async () => {
      const uid = await opened();
      kit.pass(minutes);
      await hand.reportsValve(unit(), 'closed');
      expect(await valveOf(uid)).toMatchObject({ closedAt: kit.clock.now.toISOString(), why });
      expect((await hand.detail(uid)).steps.at(-1)).toMatchObject({ state: 'closed', note: why });
    });

  it('is closed by a Valve Off that was carried out, without a report', async () => {
    const uid = await opened();
    kit.pass(10);
    const off = await hand.command('ValveOff');
    expect((await valveOf(uid))?.closedAt).toBeNull();
    await hand.answers(off, 'done');
    expect(await valveOf(uid)).toMatchObject({
      closedAt: '2026-11-20T21:10:00.000Z',
      why: 'Closed by a Valve Off command.',
    });
  });

  it('is closed by the Valve Off whose answer comes after the report', async () => {
    const uid = await opened();
    kit.pass(10);
    const off = await hand.command('ValveOff');
    await hand.reportsValve(unit(), 'closed');
    await hand.answers(off, 'done');
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
    await hand.reportsValve(unit(), 'closed');
    expect((await valveOf(first))?.closedAt).toBe('2026-11-20T21:10:00.000Z');
    expect((await valveOf(second))?.why).toBe('Closed by its own limit of 30 min.');
  });

  it('does not take an older report for its closing', async () => {
    const before = kit.clock.now;
    kit.pass(5);
    const uid = await opened();
    await hand.reportsValve(unit(), 'closed', before);
    expect((await valveOf(uid))?.closedAt).toBeNull();
  });
});

describe('a Valve On whose answer got lost', () => {
  it('is done when the unit reports its valve open', async () => {
    const uid = await on();
    kit.pass(2);
    await hand.reportsValve(unit(), 'open');
    const { command, units } = await hand.detail(uid);
    expect(command.state).toBe('done');
    expect(units[0]).toMatchObject({
      note: 'The unit itself reports its valve open.',
      valve: { openedAt: '2026-11-20T21:02:00.000Z', closesBy: '2026-11-20T21:32:00.000Z' },
    });
  });

  it('lets the next command go out', async () => {
    await on();
    const next = await hand.queue('Poll');
    kit.pass(2);
    await hand.reportsValve(unit(), 'open');
    await hand.reaches(next, 'sent');
  });

  it('is done also when the report comes after its time ran out', async () => {
    const uid = await on();
    kit.pass(11);
    await kit.tick();
    await hand.reportsValve(unit(), 'open', new Date('2026-11-20T21:03:00Z'));
    expect((await hand.detail(uid)).command.state).toBe('done');
    expect((await valveOf(uid))?.openedAt).toBe('2026-11-20T21:03:00.000Z');
  });

  it('is not done by a report from before it went out', async () => {
    const before = new Date(kit.clock.now.getTime() - 60_000);
    const uid = await on();
    await hand.reportsValve(unit(), 'open', before);
    expect((await hand.detail(uid)).command.state).toBe('sent');
  });

  it('heard of after the valve was reported closed is not said to be open', async () => {
    const uid = await on();
    kit.pass(30);
    await hand.reportsValve(unit(), 'closed');
    await kit.tick();
    kit.pass(15);
    await hand.answers(uid, 'done', { at: '2026-11-20T21:00:00Z' });
    expect(await valveOf(uid)).toMatchObject({
      closedAt: '2026-11-20T21:30:00.000Z',
      why: 'Closed by its own limit of 30 min.',
    });
  });
});
