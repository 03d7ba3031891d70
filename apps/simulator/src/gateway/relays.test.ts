import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, lora, minute, second } = world;
/** 25,000 L and 2,450 mm: filled by its own float valve from 82 % up. */
const mac = world.sensorNamed('House');

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

const bind = ({ rev, ...of }: { rev?: number; [member: string]: unknown } = {}) =>
  one.tell(inc, 'io-settings', {
    ...(rev !== undefined && { rev }),
    relays: [{ relay: 5, sensorMac: mac, onAtOrBelowMm: 9999, offAtOrAboveMm: 9999, maxOnMinutes: 0, ...of }],
  });
const relay = () => one.io().at(-1)?.relays[4];
const level = () => one.sensors(mac).at(-1)?.values.levelMm ?? 0;

describe('a relay bound to a tank', () => {
  it('goes on at or below its mark, fills the tank, and off at or above the other', async () => {
    await one.run(minute);
    const from = level();
    // Waves make a millimetre or two.
    bind({ onAtOrBelowMm: from + 3, offAtOrAboveMm: from + 60 });
    await one.run(second);
    expect(relay()).toBe(true);
    await one.run(3 * hour);
    expect(relay()).toBe(false);
    // Off within a report or two of the mark: 18 L/min are 1.8 mm a minute.
    const highest = Math.max(...one.sensors(mac).map(({ values }) => values.levelMm ?? 0));
    expect(highest).toBeGreaterThanOrEqual(from + 60);
    expect(highest).toBeLessThan(from + 70);
  });

  it('stays off above its mark', async () => {
    await one.run(minute);
    bind({ onAtOrBelowMm: level() - 500, offAtOrAboveMm: level() - 100 });
    await one.run(minute);
    expect(relay()).toBe(false);
  });

  it('is forced off after its longest run, and not on again while the level is still low', async () => {
    bind({ maxOnMinutes: 10 });
    await one.run(10 * minute - second);
    expect(relay()).toBe(true);
    await one.run(second);
    expect(relay()).toBe(false);
    await one.run(hour);
    expect(relay()).toBe(false);
  });

  it('that has run its longest does not begin anew when it is told the same again', async () => {
    bind({ maxOnMinutes: 10, rev: 3 });
    await one.run(11 * minute);
    expect(relay()).toBe(false);
    bind({ maxOnMinutes: 10, rev: 3 });
    await one.run(minute);
    expect(relay()).toBe(false);
  });

  it('put off by hand follows its level again when its longest run would be over', async () => {
    await one.run(minute);
    bind({ onAtOrBelowMm: 9999, offAtOrAboveMm: 10_000, maxOnMinutes: 30 });
    const overriddenAt = new Date().toISOString();
    one.tell(inc, 'cmd', command('off', 24, { payload: { relay: 5, set: false, overriddenAt } }));
    await one.run(29 * minute);
    expect(relay()).toBe(false);
    await one.run(10 * minute);
    expect(relay()).toBe(true);
  });

  it('is forced off at its time after a kill as well', async () => {
    bind({ maxOnMinutes: 10 });
    await one.run(5 * minute);
    one.stop();
    one = world.liveField({ state: one.kept() });
    await one.run(5 * minute - second);
    expect(relay()).toBe(true);
    await one.run(second);
    expect(relay()).toBe(false);
  });

  it('rests while it is overridden, until its longest run is over', async () => {
    bind({ onAtOrBelowMm: 1, offAtOrAboveMm: 2, maxOnMinutes: 30 });
    await one.run(minute);
    const overriddenAt = new Date().toISOString();
    one.tell(inc, 'cmd', command('on', 24, { payload: { relay: 5, set: true, overriddenAt } }));
    await one.run(10 * minute);
    // Far above the mark at which it would go off by itself.
    expect(level()).toBeGreaterThan(100);
    expect(relay()).toBe(true);
    await one.run(21 * minute);
    expect(relay()).toBe(false);
  });

  it('set by hand without a pause goes on following the level', async () => {
    await one.run(minute);
    bind({ onAtOrBelowMm: 1, offAtOrAboveMm: 2 });
    one.tell(inc, 'cmd', command('on', 24, { payload: { relay: 5, set: true } }));
    await one.run(second);
    expect(relay()).toBe(true);
    await one.run(minute);
    expect(relay()).toBe(false);
  });

  it('is acknowledged by its number, and refused by a gateway without relays', async () => {
    bind({ rev: 7 });
    one.tell(lora, 'io-settings', { rev: 8, relays: [] });
    await one.run(second);
    expect(one.states('io-7')).toEqual(['done']);
    expect(one.acks('io-8')).toMatchObject([{ state: 'failed', error: 'this gateway has no relays' }]);
  });

  it('lets go of the tank when the binding goes', async () => {
    bind();
    await one.run(30 * minute);
    expect(relay()).toBe(true);
    one.tell(inc, 'io-settings', { relays: [{ relay: 5, sensorMac: null, maxOnMinutes: 0 }] });
    await one.run(second);
    expect(relay()).toBe(false);
    const before = level();
    await one.run(30 * minute);
    expect(level()).toBeLessThan(before + 30);
  });
});

describe('a relay without binding', () => {
  it('is as it was set, in up/io before done', async () => {
    one.tell(inc, 'cmd', command('on', 24, { payload: { relay: 6, set: true } }));
    await one.run(second);
    expect(one.io().at(-1)?.relays).toEqual([false, false, false, false, false, true]);
    expect(one.said.at(-1)?.message.kind).toBe('ack');
    one.tell(inc, 'cmd', command('odd', 24, { payload: { relay: 7, set: true } }));
    await one.run(second);
    expect(one.acks('odd').at(-1)).toMatchObject({
      state: 'failed',
      error: 'payload.relay must be a whole number from 1 to 6',
    });
  });

  it('is reported every quarter of an hour', async () => {
    await one.run(30 * second);
    const before = one.io().length;
    await one.run(hour);
    expect(one.io().length - before).toBeGreaterThanOrEqual(4);
  });
});
