import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sensorMessages } from '@headrace/device/numbers';
import { createFarmControl } from '../control/farm-control.ts';
import * as world from '../testing/field.ts';
import type { FaultKind } from './fault-kinds.ts';

const { command, hour, inc, lora, minute, second, sensorNamed, unitNamed } = world;
const unit = unitNamed('A01');
const tank = sensorNamed('House');
const repeater = world.rakaia.repeaters[0]?.mac ?? '';

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

const control = () => createFarmControl([{ profile: world.rakaia, live: one.live }], Date.now);
const fault = (mac: string, kind: FaultKind | 'clear', value?: number, minutes?: number) =>
  control().fault(mac, kind, value, minutes);
const poll = async (mac: string, cmdId: string) => {
  one.tell(inc, 'cmd', command(cmdId, 1, { mac }));
  await one.run(10 * second);
  return one.acks(cmdId).at(-1);
};
const charges = () =>
  one.said.flatMap(({ message }) =>
    message.kind === 'repeater'
      ? message.items.filter(({ mac }) => mac === repeater).map(({ charge }) => charge)
      : [],
  );

describe('a fault on demand', () => {
  it('out-of-contact: a sprinkler reports nothing and answers nobody, until it is cleared', async () => {
    await one.run(minute);
    fault(unit, 'out-of-contact');
    const before = one.ipcs(unit).length;
    expect(await poll(unit, 'gone')).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
    await one.run(13 * hour);
    expect(one.ipcs(unit)).toHaveLength(before);
    fault(unit, 'clear');
    await one.run(0);
    expect(one.ipcs(unit)).toHaveLength(before + 1);
    expect(await poll(unit, 'back')).toMatchObject({ state: 'done' });
  });

  it('out-of-contact: a sensor is silent, and tells afterwards what it missed', async () => {
    fault(tank, 'out-of-contact', undefined, 60);
    await one.run(hour - second);
    expect(one.sensors(tank)).toEqual([]);
    await one.run(2 * minute);
    expect(one.sensors(tank).length).toBeGreaterThan(10);
  });

  it('repeater-down: it and the sprinklers near it are silent, and those farther away are not', async () => {
    // B08 is 170 m from RPT1, D10 on the other side of the farm.
    const [near, far] = [unitNamed('B08'), unitNamed('D10')];
    await one.run(minute);
    fault(repeater, 'repeater-down');
    const before = charges().length;
    expect(await poll(near, 'near')).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
    expect(await poll(far, 'far')).toMatchObject({ state: 'done', attempts: 1 });
    await one.run(25 * hour);
    expect(charges()).toHaveLength(before);
    fault(repeater, 'clear');
    expect(await poll(near, 'again')).toMatchObject({ state: 'done' });
  });

  it('of a farm that has one each day begins at its time by the farm’s clock, and mends itself', async () => {
    one.stop();
    const trouble = { mac: lora, kind: 'gateway-down' as const, atMinute: 16 * 60 + 10, minutes: 20 };
    one = world.liveField({ profile: { ...world.rakaia, troubles: [trouble] } });
    const isDown = () => one.live.faults.get(lora, 'gateway-down') !== undefined;
    // The field begins at 16:00 there.
    for (const [span, is] of [
      [9 * minute, false],
      [2 * minute, true],
      [20 * minute, false],
      [24 * hour - 20 * minute, true],
    ] as const) {
      await one.run(span);
      expect(isDown()).toBe(is);
    }
  });

  it('lost-close: a sprinkler tells that its valve opened and never that it closed', async () => {
    fault(unit, 'lost-close');
    one.tell(inc, 'cmd', command('on', 2, { mac: unit, maxOpenMinutes: 5 }));
    await one.run(10 * second);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'open' });
    await one.run(6 * minute);
    expect(one.ipcs(unit).at(-1)).not.toHaveProperty('valve');
    fault(unit, 'clear');
    await poll(unit, 'now');
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('a sprinkler near a repeater says that it is heard through it, one that is far from all does not', async () => {
    await one.run(25 * hour);
    expect(one.ipcs(unitNamed('B08')).at(-1)).toMatchObject({ via: repeater });
    expect(one.ipcs(unitNamed('D10')).at(-1)).not.toHaveProperty('via');
  });

  it('valve-stuck: a sprinkler says that it is open, also after a Valve Off', async () => {
    fault(unit, 'valve-stuck');
    await poll(unit, 'now');
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'open' });
    fault(unit, 'clear');
    await poll(unit, 'again');
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('low-battery: a sprinkler, a repeater and a sensor report it', async () => {
    for (const mac of [unit, repeater, tank]) fault(mac, 'low-battery');
    await one.run(0);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ charge: 18 });
    expect(charges().at(-1)).toBe(18);
    expect(one.sensors(tank).at(-1)?.values).toMatchObject({ batteryV: 3.2 });
  });

  it('clock-drift: over a minute, until the time is set', async () => {
    fault(unit, 'clock-drift');
    await one.run(0);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ clock: 95 });
    fault(unit, 'clock-drift', -120);
    await one.run(0);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ clock: -120 });
    const time = { utc: new Date().toISOString(), offsetSeconds: 46_800, cmdId: 'time' };
    one.tell(inc, 'time', time);
    await one.run(second);
    expect(Math.abs(one.ipcs(unit).at(-1)?.clock ?? 99)).toBeLessThan(10);
  });

  it('schedule-mismatch: another checksum, until a schedule is sent', async () => {
    const entries = [{ start: 60, duration: 30, cycle: 1 }];
    const units = [{ mac: unit, crc: '12:34', entries }];
    const set = { setId: 's', rev: 1, part: 1, parts: 1, units };
    one.tell(inc, 'schedules', set);
    await one.run(2 * second);
    fault(unit, 'schedule-mismatch');
    await one.run(0);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ ipcCrc: '4B:1E' });
    one.tell(inc, 'schedules', { ...set, rev: 2 });
    await one.run(2 * second);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ ipcCrc: '12:34' });
  });

  it('leak: the tank loses as much more as it is told', async () => {
    // Fed by rain alone, so that nothing fills it up again meanwhile.
    const roof = sensorNamed('Woolshed roof');
    const level = () =>
      one.sensors(roof).findLast(({ values }) => values.levelMm !== null)?.values.levelMm ?? 0;
    // Its probe reports nothing valid in the first hours.
    await one.run(3 * hour);
    fault(roof, 'leak', 1000);
    await one.run(0);
    const from = level();
    await one.run(2 * hour);
    fault(roof, 'clear');
    await one.run(0);
    // 2,000 of 22,500 L are 204 of 2,300 mm; the house draws some 20 L more.
    expect(from - level()).toBeGreaterThan(200);
    expect(from - level()).toBeLessThan(220);
  });

  it('leak: a flow meter counts it', async () => {
    const meter = sensorNamed('Main pump meter');
    await one.run(20 * minute);
    expect(one.sensors(meter).at(-1)?.values.flowLpm).toBe(0);
    fault(meter, 'leak', 600);
    await one.run(20 * minute);
    expect(one.sensors(meter).at(-1)?.values.flowLpm).toBe(10);
  });

  it('invalid-value: null, for each kind of sensor what it measures', async () => {
    const soil = sensorNamed('Line A soil');
    const meter = sensorNamed('Stock water meter');
    for (const mac of [tank, soil, meter]) fault(mac, 'invalid-value');
    await one.run(0);
    expect(one.sensors(tank).at(-1)?.values.levelMm).toBeNull();
    expect(one.sensors(soil).at(-1)?.values).toMatchObject({ swp1Kpa: null, swp2Kpa: null });
    expect(one.sensors(meter).at(-1)?.values.flowLpm).toBeNull();
  });

  it('list-not-loaded: off and on again without a list, which it then refuses; commands fail', async () => {
    fault(inc, 'list-not-loaded');
    await one.run(0);
    expect(one.restarts).toEqual([inc]);
    expect(one.live.gateways.get(inc)?.about()).toMatchObject({ listRev: 0 });
    expect(one.statuses(inc).at(-1)?.settings).toMatchObject({ ipcListSize: 0, rptrListSize: 0 });
    expect(await poll(unit, 'blocked')).toMatchObject({
      state: 'failed',
      error: 'the list of units is not loaded',
    });
    const list = { rev: 4, part: 1, parts: 1, farmId: '01:01', channel: 3, ipcs: [], repeaters: [] };
    one.tell(inc, 'ipc-list', list);
    await one.run(2 * second);
    expect(one.acks('list-4')).toMatchObject([{ state: 'failed' }]);
    fault(inc, 'clear');
    one.tell(inc, 'ipc-list', list);
    await one.run(2 * second);
    expect(one.states('list-4')).toEqual(['failed', 'done']);
  });

  it('gateway-down: nothing comes through it; afterwards its sensors tell what they missed', async () => {
    fault(lora, 'gateway-down', undefined, 60);
    await one.run(hour - second);
    expect(one.sensors(tank)).toEqual([]);
    expect(one.statuses(inc).length).toBeGreaterThan(0);
    await one.run(2 * minute);
    expect(one.sensors(tank).length).toBeGreaterThan(10);
  });

  it('no-ack: a gateway does what it is told and says nothing of it', async () => {
    fault(inc, 'no-ack');
    one.tell(inc, 'cmd', command('mute', 2, { mac: unit }));
    await one.run(10 * second);
    expect(one.acks('mute')).toEqual([]);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'open' });
    fault(inc, 'clear');
    one.tell(inc, 'cmd', command('mute', 2, { mac: unit }));
    await one.run(second);
    expect(one.states('mute')).toEqual(['done']);
  });

  it('no-ack: a unit does it, but its gateway hears no answer', async () => {
    fault(unit, 'no-ack');
    one.tell(inc, 'cmd', command('mute', 2, { mac: unit, maxOpenMinutes: 30 }));
    await one.run(10 * second);
    expect(one.acks('mute').at(-1)).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
    await one.run(minute);
    expect(one.ipcs(unit).at(-1)).toMatchObject({ valve: 'open' });
  });

  it('radio-loss: as many messages get lost', async () => {
    const header = sensorNamed('Dairy shed');
    fault(header, 'radio-loss', 0.5);
    await one.run(hour);
    // Every 20 seconds, 180 in all.
    const heard = one.sensors(header).filter(({ msg }) => msg !== sensorMessages.D100_CommsHealth).length;
    expect(heard).toBeGreaterThan(60);
    expect(heard).toBeLessThan(120);
    fault(unit, 'radio-loss', 1);
    expect(await poll(unit, 'lost')).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
  });

  it('ends by itself after its minutes, also when it was killed meanwhile', async () => {
    fault(unit, 'low-battery', undefined, 30);
    await one.run(20 * minute);
    one.stop();
    one = world.liveField({ state: one.kept() });
    await one.run(9 * minute);
    expect((await poll(unit, 'still')) && one.ipcs(unit).at(-1)?.charge).toBe(18);
    await one.run(minute);
    expect(one.ipcs(unit).at(-1)?.charge).toBeGreaterThan(50);
  });

  it('list-lost: off and on again without its list, until it is sent one', async () => {
    fault(inc, 'list-lost');
    await one.run(0);
    expect(one.restarts).toEqual([inc]);
    expect(one.live.gateways.get(inc)?.about()).toMatchObject({ listRev: 0 });
    expect(await poll(unit, 'blocked')).toMatchObject({ error: 'the list of units is not loaded' });
    const { name, serialNumber } = world.rakaia.sprinklers.find(({ mac }) => mac === unit) ?? {
      name: '',
      serialNumber: '',
    };
    const ipcs = [{ mac: unit, name, serialNumber, farmId: '01:01', channel: 3, commsMode: 0 }];
    one.tell(inc, 'ipc-list', {
      rev: 4,
      part: 1,
      parts: 1,
      farmId: '01:01',
      channel: 3,
      ipcs,
      repeaters: [],
    });
    await one.run(2 * second);
    expect(one.acks('list-4')).toMatchObject([{ state: 'done' }]);
    expect(await poll(unit, 'again')).toMatchObject({ state: 'done' });
    expect(control().state()).toMatchObject({ faults: [] });
  });

  it('clock-not-set: no time is taken and nothing begins that opens water, until it is cleared', async () => {
    one.tell(inc, 'cmd', command('busy', 1, { mac: unit }));
    one.tell(inc, 'cmd', command('on', 2, { mac: unit }));
    fault(inc, 'clock-not-set');
    const time = { utc: new Date().toISOString(), offsetSeconds: 46_800, cmdId: 'time' };
    one.tell(inc, 'time', time);
    await one.run(10 * second);
    expect(one.acks('time')).toMatchObject([{ state: 'failed', error: 'the clock could not be set' }]);
    const error = 'not begun: the time of this gateway is not set';
    expect(one.acks('on').at(-1)).toMatchObject({ state: 'failed', error });
    one.tell(inc, 'cmd', command('on-2', 2, { mac: unit }));
    await one.run(10 * second);
    expect(one.acks('on-2')).toMatchObject([{ state: 'failed', error }]);
    fault(inc, 'clear');
    await one.run(0);
    // It says hello, and is told the time.
    expect(one.restarts).toEqual([inc]);
    one.tell(inc, 'cmd', command('on-3', 2, { mac: unit }));
    await one.run(10 * second);
    expect(one.acks('on-3').at(-1)).toMatchObject({ state: 'done' });
  });

  it('old-units: says that it closes valves itself, and opens none for more than an hour', async () => {
    const unit = unitNamed('A02');
    fault(inc, 'old-units');
    await one.run(0);
    expect(one.restarts).toEqual([inc]);
    expect(one.live.gateways.get(inc)?.about().supports).toEqual([
      'priority',
      'seq',
      'within',
      'cycleLen',
      'maxOpenMinutes',
    ]);
    one.tell(inc, 'time', { utc: new Date(world.afternoon).toISOString(), offsetSeconds: 0 });
    one.tell(inc, 'cmd', command('on-61', 2, { mac: unit, maxOpenMinutes: 61 }));
    one.tell(inc, 'cmd', command('on-60', 2, { mac: unit, maxOpenMinutes: 60 }));
    await one.run(10 * second);
    const error = 'this gateway closes valves itself, after 60 minutes at most';
    expect(one.acks('on-61').at(-1)).toMatchObject({ state: 'failed', error });
    expect(one.acks('on-60').at(-1)).toMatchObject({ state: 'done' });
  });

  it('old-firmware: says hello without knowing order or time, and takes everything in turn', async () => {
    const hello = () => one.live.gateways.get(inc)?.about().supports;
    expect(hello()).toEqual(['priority', 'seq', 'within', 'cycleLen']);
    fault(inc, 'old-firmware');
    await one.run(0);
    expect(one.restarts).toEqual([inc]);
    expect(hello()).toBeUndefined();
    const [a02, a03] = [unitNamed('A02'), unitNamed('A03')];
    one.tell(inc, 'cmd', command('off-before', 3, { mac: a03, seq: 9 }));
    one.tell(inc, 'cmd', command('on', 30, { payload: { macs: [a02, a03] }, seq: 1, within: 3 }));
    one.tell(inc, 'cmd', command('off', 3, { mac: a03, seq: 2, priority: 0 }));
    await one.run(minute);
    const doneAt = (cmdId: string, mac: string) =>
      one.acks(cmdId).find((ack) => ack.mac === mac && ack.state === 'done')?.sentAt ?? 0;
    expect(doneAt('on', a03)).toBe(world.afternoon + 6 * second);
    expect(doneAt('off', a03)).toBe(world.afternoon + 8 * second);
    const entries = [{ start: 60, duration: 30, cycle: 1 }];
    const set = { setId: 's', part: 1, parts: 1, units: [{ mac: a02, crc: '12:34', entries }] };
    one.tell(inc, 'schedules', { ...set, rev: 1, cycleLen: 1 });
    await one.run(2 * second);
    // It knows checksums alone: the same entries in another cycle are done without a word to the unit.
    one.tell(inc, 'schedules', { ...set, rev: 2, cycleLen: 2 });
    await one.run(0);
    expect(doneAt('set-2', a02)).toBe(Date.now());
    expect(one.ipcs(a02).at(-1)).toMatchObject({ cycleLen: 1 });
  });

  it('one-done: a group and a set are said to be done in one word that names no unit', async () => {
    fault(inc, 'one-done');
    const macs = [unit, unitNamed('A02'), unitNamed('E10')];
    one.tell(inc, 'cmd', command('group', 22, { payload: { macs } }));
    const units = macs.map((mac) => ({
      mac,
      crc: '12:34',
      entries: [{ start: 60, duration: 30, cycle: 1 }],
    }));
    one.tell(inc, 'schedules', { setId: 's', rev: 1, part: 1, parts: 1, units });
    await one.run(minute);
    for (const cmdId of ['group', 'set-1'])
      expect(one.acks(cmdId).map(({ mac, state, done }) => [mac, state, done])).toEqual([
        [undefined, 'accepted', undefined],
        [undefined, 'done', undefined],
      ]);
    // A command for one unit names it as ever.
    expect(await poll(unit, 'poll')).toMatchObject({ mac: unit, state: 'done' });
  });

  it('is refused with a reason where it makes no sense', () => {
    expect(fault(unit, 'leak')).toBe(
      'kind: leak is nothing that this sprinkler can have; it can have out-of-contact, lost-close, valve-stuck, low-battery, clock-drift, schedule-mismatch, no-ack, radio-loss',
    );
    expect(fault(unit, 'radio-loss')).toBe(
      'value is missing: radio-loss needs one (share of messages lost, 0 to 1)',
    );
    expect(fault(unit, 'radio-loss', 2)).toBe('value must be from 0 to 1 (share of messages lost, 0 to 1)');
    expect(fault(unit, 'low-battery', 3)).toBe('value: low-battery takes none, leave it out');
    expect(fault('0000000000000000', 'clear')).toBe('mac: no farm here has a device 0000000000000000');
  });
});
