import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, minute, second, unitNamed } = world;
const [a01, a02, a03, a04] = ['A01', 'A02', 'A03', 'A04'].map(unitNamed) as [string, string, string, string];
const notSet = { state: 'failed', error: 'not begun: the time of this gateway is not set' };
const restarted = { state: 'failed', error: 'not begun: the gateway restarted' };

let one: world.Field;
beforeEach(() => {
  vi.useFakeTimers({ now: world.afternoon });
  one = world.liveField();
});
afterEach(() => {
  one.stop();
  expect(one.faults).toEqual([]);
  vi.useRealTimers();
});

const tell = (cmdId: string, type: number, more: object = {}) =>
  one.tell(inc, 'cmd', command(cmdId, type, more));
const setTime = (utc: number) =>
  one.tell(inc, 'time', { utc: new Date(utc).toISOString(), offsetSeconds: 46_800 });
const last = (cmdId: string, mac?: string) =>
  one.acks(cmdId).findLast((ack) => mac === undefined || ack.mac === mac);
const isOpen = (mac: string) => one.ipcs(mac).at(-1)?.valve === 'open';
const wake = (options: world.FieldOptions = {}) => {
  one.stop();
  one = world.liveField({ state: one.kept(), ...options });
};

describe('what opens water begins in time or not at all', () => {
  it('each unit of a list by itself, within so many seconds of the receipt', async () => {
    tell('on', 30, { payload: { macs: [a01, a02, a03, a04] }, within: 5 });
    await one.run(minute);
    // Begun at 0, 2 and 4 seconds; the fourth would have been at 6.
    expect([a01, a02, a03, a04].map(isOpen)).toEqual([true, true, true, false]);
    expect(last('on', a04)).toBeUndefined();
  });

  it('by the earlier of within and expiresAt', async () => {
    const expiresAt = new Date(world.afternoon + 3 * second).toISOString();
    tell('on', 30, { payload: { macs: [a01, a02, a03] }, within: 60, expiresAt });
    await one.run(minute);
    expect([a01, a02, a03].map(isOpen)).toEqual([true, true, false]);
  });

  it('also when the clock is set back an hour meanwhile', async () => {
    tell('busy', 1, { mac: a02 });
    tell('on', 30, { payload: { macs: [a01, a03] }, within: 3 });
    setTime(world.afternoon - hour);
    await one.run(minute);
    expect([a01, a03].map(isOpen)).toEqual([true, false]);
  });

  it('and a relay', async () => {
    tell('on', 24, { payload: { relay: 5, set: true }, within: 0 });
    await one.run(5 * second);
    expect(one.io().some(({ relays }) => relays[4])).toBe(false);
  });

  it('a set of schedules keeps within as well', async () => {
    const units = [a01, a02, a03].map((mac) => ({
      mac,
      crc: '12:34',
      entries: [{ start: 60, duration: 30, cycle: 1 }],
    }));
    one.tell(inc, 'schedules', { setId: 's', rev: 1, part: 1, parts: 1, units, within: 3 });
    await one.run(minute);
    expect(one.acks('set-1').flatMap(({ mac, state }) => (state === 'done' ? [mac] : []))).toEqual([
      a01,
      a02,
    ]);
  });
});

describe('a gateway that restarts', () => {
  const starts = () => {
    tell('group', 30, { payload: { macs: [a01, a02, a03] }, within: 600 });
    tell('uninhibit', 5, { mac: a04 });
    tell('relay', 24, { payload: { relay: 5, set: true } });
    tell('poll', 22, { payload: { macs: [a04] } });
  };

  it('begins nothing any more that opens water, says so of each, and goes on with the rest', async () => {
    tell('off', 3, { mac: a04 });
    starts();
    wake();
    await one.run(minute);
    for (const mac of [a01, a02, a03]) expect(last('group', mac)).toMatchObject(restarted);
    for (const cmdId of ['uninhibit', 'relay']) expect(last(cmdId)).toMatchObject(restarted);
    for (const cmdId of ['off', 'poll']) expect(last(cmdId, a04)).toMatchObject({ state: 'done' });
    expect([a01, a02, a03].map(isOpen)).toEqual([false, false, false]);
  });

  it('says the same again when it is asked again', async () => {
    starts();
    wake();
    await one.run(5 * second);
    tell('uninhibit', 5, { mac: a04 });
    await one.run(minute);
    expect(one.acks('uninhibit').map(({ error }) => error)).toEqual([restarted.error, restarted.error]);
  });

  it('also for new firmware, and after a power cut: one on the air may still be heard', async () => {
    tell('firmware', 11);
    await one.run(second / 2);
    starts();
    await one.run(minute);
    expect(one.restarts).toEqual([inc]);
    expect(last('group', a01)).toMatchObject({ state: 'done' });
    for (const mac of [a02, a03]) expect(last('group', mac)).toMatchObject(restarted);
    one.live.faults.add(inc, { kind: 'gateway-down', since: Date.now(), until: null, value: 0 });
    tell('busy', 1, { mac: a01 });
    tell('on', 2, { mac: a02 });
    one.live.faults.clear(inc);
    await one.run(minute);
    expect(last('on')).toMatchObject(restarted);
  });

  it('changes nothing about when an open valve shuts: the unit counts its minutes itself', async () => {
    tell('on', 2, { mac: a01, maxOpenMinutes: 20 });
    await one.run(5 * minute);
    tell('firmware', 11);
    await one.run(5 * minute);
    wake({ tellsNoTime: true });
    await one.run(10 * minute + 2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({
      valve: 'closed',
      at: new Date(world.afternoon + 2 * second + 20 * minute).toISOString(),
    });
  });
});

describe('a gateway whose time is not set', () => {
  beforeEach(() => {
    one.stop();
    one = world.liveField({ tellsNoTime: true });
  });

  it('refuses what opens water with the reason, until it is told the time', async () => {
    tell('on', 2, { mac: a01 });
    tell('group', 30, { payload: { macs: [a01, a02] } });
    tell('uninhibit', 9, { payload: { macs: [a03] } });
    tell('relay', 24, { payload: { relay: 5, set: true } });
    setTime(Date.now());
    tell('later', 2, { mac: a02 });
    await one.run(minute);
    expect(last('on')).toMatchObject(notSet);
    for (const mac of [a01, a02]) expect(last('group', mac)).toMatchObject(notSet);
    expect(last('uninhibit', a03)).toMatchObject(notSet);
    expect(last('relay')).toMatchObject(notSet);
    expect(last('later')).toMatchObject({ state: 'done' });
    expect(isOpen(a01)).toBe(false);
  });

  it('does all else, and stops even when its clock is long past their time', async () => {
    setTime(Date.now() + 5 * hour);
    tell('on', 2, { mac: a01, expiresAt: new Date(Date.now() + 6 * hour).toISOString() });
    await one.run(5 * second);
    expect(isOpen(a01)).toBe(true);
    wake({ tellsNoTime: true });
    tell('off', 3, { mac: a01 });
    tell('relay-off', 24, { payload: { relay: 5, set: false } });
    await one.run(minute);
    for (const cmdId of ['off', 'relay-off']) expect(last(cmdId)).toMatchObject({ state: 'done' });
  });
});
