import { commandTable } from '@headrace/device/commands';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, lora, minute, second, unitNamed } = world;
const a01 = unitNamed('A01');
const a02 = unitNamed('A02');
const newUnit = { serialNumber: 'IPC99', mac: '00158DFFFFFF0099' };

let fields: world.Field[] = [];
function field(options?: world.FieldOptions): world.Field {
  const one = world.liveField(options);
  fields.push(one);
  return one;
}

beforeEach(() => {
  vi.useFakeTimers({ now: world.afternoon });
});
afterEach(() => {
  for (const one of fields) {
    one.stop();
    expect(one.faults).toEqual([]);
  }
  fields = [];
  vi.useRealTimers();
});

const listOf = (rev: number) => ({
  rev,
  part: 1,
  parts: 1,
  farmId: '01:01',
  channel: 3,
  ipcs: world.rakaia.sprinklers.map(({ mac, name, serialNumber, farmId, channel }) => {
    return { mac, name, serialNumber, farmId, channel, commsMode: 2 };
  }),
  repeaters: world.rakaia.repeaters.map(({ mac, name, serialNumber }) => ({ mac, name, serialNumber })),
});

describe('each of the 31 commands', () => {
  const payloads: Record<number, object> = {
    7: newUnit,
    8: { macs: [a01, a02] },
    9: { macs: [a01, a02] },
    20: { macs: [a01, a02], commsMode: 1 },
    22: { macs: [a01, a02] },
    24: { relay: 4, set: true },
    27: { name: 'Mode', value: 'Local' },
    28: { macs: [a01, a02] },
    30: { macs: [a01, a02] },
    31: { macs: [a01, a02] },
  };
  const cmdTypes = commandTable.filter(({ topic }) => topic === 'cmd');

  it.each(cmdTypes)('$type $name is accepted, then done by who has to do it', async ({ type, target }) => {
    const one = field();
    one.tell(inc, 'ipc-list', listOf(1));
    await one.run(5 * second);
    const about = target === 'unit' ? { mac: a01 } : {};
    one.tell(inc, 'cmd', command('c', type, { ...about, payload: payloads[type] ?? {} }));
    await one.run(5 * minute);
    expect(one.states('c')[0]).toBe('accepted');
    const done = one.acks('c').filter(({ state }) => state === 'done');
    const wanted = target === 'units' ? (payloads[type] ? [a01, a02] : heardUnits()) : [about.mac];
    expect(done.map(({ mac }) => mac)).toEqual(wanted);
  });

  /** All of the farm, but for the one that is silent. */
  const heardUnits = () => world.rakaia.sprinklers.filter(({ name }) => name !== 'E10').map(({ mac }) => mac);

  it.each([
    ['13 UpdateINCList', 'ipc-list', listOf(9), 'list-9'],
    [
      '15 IncTimeSet',
      'time',
      { utc: new Date(world.afternoon).toISOString(), offsetSeconds: 46_800, cmdId: 't' },
      't',
    ],
    [
      '12 UpdateSettings',
      'config',
      { configId: 's', mac: inc, configType: 'IncSettings', config: { statusPeriod: 60 } },
      's',
    ],
  ] as const)('%s is done by the gateway', async (_name, kind, body, cmdId) => {
    const one = field();
    one.tell(inc, kind, body);
    await one.run(5 * second);
    expect(one.states(cmdId).at(-1)).toBe('done');
  });

  it.each([
    [6, 'UpdateSchedule'],
    [10, 'SendScheduleSet'],
    [17, 'IncScheduleAll'],
  ])('%d %s is no command of its own: schedules come as a set', async (type, name) => {
    const one = field();
    one.tell(inc, 'cmd', command('schedules', type, { payload: { macs: [a01] } }));
    await one.run(5 * second);
    expect(one.acks('schedules').at(-1)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining(name),
    });
  });
});

describe('what a command does', () => {
  it('Poll: the unit reports that it was asked, before it is done', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('poll', 1, { mac: a01 }));
    await one.run(2 * second);
    const item = one.ipcs(a01).find(({ polledAt }) => polledAt !== undefined);
    expect(item?.polledAt).toBe(new Date(world.afternoon + 2 * second).toISOString());
    const kinds = one.said.slice(-2).map(({ message }) => message.kind);
    expect(kinds).toEqual(['ipc', 'ack']);
  });

  it('ValveOn: open, and shut again by itself after its minutes, to the second', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
    await one.run(20 * minute - second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
    await one.run(second);
    const shutAt = world.afternoon + 2 * second + 20 * minute;
    expect(one.ipcs(a01).at(-1)).toMatchObject({
      valve: 'closed',
      at: new Date(shutAt).toISOString(),
      sentAt: shutAt,
    });
  });

  it('ValveOn without a limit shuts after an hour', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01 }));
    await one.run(hour);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('a valve that shut while nobody could hear it is told with the time at which it shut', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(10 * minute);
    one.setUp(false);
    await one.run(20 * minute);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
    one.setUp(true);
    await one.run(minute);
    expect(one.ipcs(a01).at(-1)).toMatchObject({
      valve: 'closed',
      at: new Date(world.afternoon + 2 * second + 20 * minute).toISOString(),
    });
  });

  it('a valve shuts at its time although everything was killed meanwhile', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(10 * minute);
    one.stop();
    const again = field({ state: one.kept() });
    await again.run(10 * minute + 2 * second);
    expect(again.ipcs(a01).at(-1)).toMatchObject({
      valve: 'closed',
      at: new Date(world.afternoon + 2 * second + 20 * minute).toISOString(),
    });
    // And one that is woken after that time says when it was.
    const late = field({ state: one.kept() });
    await late.run(hour);
    expect(late.ipcs(a01).map(({ valve }) => valve)).not.toContain('open');
    expect(late.ipcs(a01).map(({ at }) => at)).toContain(
      new Date(world.afternoon + 2 * second + 20 * minute).toISOString(),
    );
  });

  it('ValveOff: shut, and the limit of the one before no longer matters', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    one.tell(inc, 'cmd', command('off', 3, { mac: a01 }));
    await one.run(4 * second);
    expect(one.ipcs(a01).map(({ valve }) => valve)).toEqual(expect.arrayContaining(['open', 'closed']));
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'closed' });
    const count = one.ipcs(a01).length;
    await one.run(30 * minute);
    expect(one.ipcs(a01)).toHaveLength(count);
  });

  it('TurnGroupValvesOn and Off: every unit of the group', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 30, { payload: { macs: [a01, a02] }, maxOpenMinutes: 30 }));
    await one.run(5 * second);
    for (const mac of [a01, a02]) expect(one.ipcs(mac).at(-1)).toMatchObject({ valve: 'open' });
    one.tell(inc, 'cmd', command('off', 31, { payload: { macs: [a01, a02] } }));
    await one.run(5 * second);
    for (const mac of [a01, a02]) expect(one.ipcs(mac).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('Inhibit and Uninhibit: the checksum says so', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('poll', 1, { mac: a01 }));
    await one.run(2 * second);
    const planned = one.ipcs(a01).at(-1)?.ipcCrc;
    one.tell(inc, 'cmd', command('stop', 4, { mac: a01 }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: 'D6:DA' });
    one.tell(inc, 'cmd', command('go', 5, { mac: a01 }));
    await one.run(2 * second);
    expect(planned).not.toBe(inhibitedCrc);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: planned });
  });

  it('Replace: a unit nobody has heard of answers in that place, the old one is silent', async () => {
    const one = field();
    one.tell(inc, 'ipc-list', listOf(1));
    one.tell(inc, 'cmd', command('swap', 7, { mac: a01, payload: newUnit }));
    await one.run(2 * second);
    expect(one.acks('swap').at(-1)).toMatchObject({ state: 'done', mac: a01 });
    // Not before the server can know whose it is.
    expect(one.ipcs(newUnit.mac)).toEqual([]);
    await one.run(5 * second);
    expect(one.ipcs(newUnit.mac).at(-1)).toMatchObject({
      charge: expect.any(Number),
      ipcCrc: expect.any(String),
    });
    one.tell(inc, 'cmd', command('new', 1, { mac: newUnit.mac }));
    one.tell(inc, 'cmd', command('old', 1, { mac: a01 }));
    await one.run(minute);
    expect(one.states('new')).toEqual(['accepted', 'done']);
    expect(one.acks('old').at(-1)).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
    const before = one.ipcs(a01).length;
    await one.run(12 * hour);
    expect(one.ipcs(a01)).toHaveLength(before);
    expect(one.ipcs(newUnit.mac).length).toBeGreaterThan(3);
  });

  it('Replace: the broken unit need not answer, and a unit of the farm changes places with it', async () => {
    const one = field();
    const silent = unitNamed('E10');
    const spare = world.rakaia.sprinklers.find(({ isSpareUnit }) => isSpareUnit) ?? {
      mac: a02,
      serialNumber: 'IPC2',
    };
    one.tell(inc, 'cmd', command('swap', 7, { mac: silent, payload: spare }));
    await one.run(2 * second);
    expect(one.states('swap')).toEqual(['accepted', 'done']);
    expect(one.live.units.find(spare.mac)?.place.unit.group).toBe('Line E');
    expect(one.live.units.isHeard(silent)).toBe(false);
  });

  it('UpdateInc: off, on again with a higher version, and done is said then', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('firmware', 11));
    await one.run(2 * second);
    expect(one.restarts).toEqual([inc]);
    expect(one.live.gateways.get(inc)?.about()).toMatchObject({ firmwareVersion: 413 });
    expect(one.states('firmware')).toEqual(['accepted', 'done']);
  });

  it('UpdateSettings: in the next status, and followed; what is wrong is named', async () => {
    const one = field();
    const config = { commsMaxAttempts: 5, statusPeriod: 60, ipcListSize: 3 };
    one.tell(inc, 'config', { configId: 's', mac: inc, configType: 'IncSettings', config });
    await one.run(2 * second);
    expect(one.statuses(inc).at(-1)?.settings).toMatchObject({
      commsMaxAttempts: 5,
      statusPeriod: 60,
      ipcListSize: world.rakaia.sprinklers.length,
    });
    const before = one.statuses(inc).length;
    await one.run(10 * minute);
    expect(one.statuses(inc).length - before).toBe(10);
    one.tell(inc, 'cmd', command('deaf', 1, { mac: unitNamed('E10') }));
    await one.run(minute);
    expect(one.acks('deaf').at(-1)).toMatchObject({ error: 'no answer from the unit after 5 attempts' });
    one.tell(inc, 'config', {
      configId: 'x',
      mac: inc,
      configType: 'IncSettings',
      config: { commsMaxAttempts: 0 },
    });
    await one.run(2 * second);
    expect(one.acks('x').at(-1)).toMatchObject({ state: 'failed', error: 'commsMaxAttempts must be >= 1' });
  });

  it('IncStatusReq: up/status before done', async () => {
    const one = field();
    await one.run(30 * second);
    const before = one.statuses(inc).length;
    one.tell(inc, 'cmd', command('status', 16));
    await one.run(second);
    expect(one.statuses(inc)).toHaveLength(before + 1);
    expect(one.said.at(-2)?.message.kind).toBe('status');
  });

  it('IncClearStatus: messages are counted from then', async () => {
    const one = field();
    await one.run(hour);
    one.tell(inc, 'cmd', command('clear', 21));
    await one.run(second);
    expect(one.statuses(inc).at(-1)?.data).toMatchObject({ validMessageCount: 0 });
  });

  it('ChangeGroupComms, IpcUpdate and IpcReconfigure: the mode', async () => {
    const one = field();
    one.tell(inc, 'ipc-list', listOf(1));
    one.tell(inc, 'cmd', command('group', 20, { payload: { macs: [a01, a02], commsMode: 1 } }));
    await one.run(5 * second);
    for (const mac of [a01, a02]) expect(one.ipcs(mac).at(-1)).toMatchObject({ mode: 'Local' });
    one.tell(inc, 'cmd', command('one', 27, { mac: a01, payload: { name: 'Mode', value: 'Mesh' } }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ mode: 'Mesh' });
    one.tell(inc, 'cmd', command('anew', 25, { mac: a01 }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ mode: 'Hybrid' });
    one.tell(inc, 'cmd', command('odd', 27, { mac: a01, payload: { name: 'Mode', value: 'Moon' } }));
    await one.run(2 * second);
    expect(one.acks('odd').at(-1)).toMatchObject({
      error: 'payload.value must be one of Mesh, Local, Hybrid',
    });
  });

  it('IncTimeSet: the clocks of its units', async () => {
    const one = field();
    const worn = unitNamed('C03');
    one.tell(inc, 'cmd', command('before', 1, { mac: worn }));
    await one.run(2 * second);
    expect(one.ipcs(worn).at(-1)?.clock).toBeGreaterThan(60);
    one.tell(inc, 'time', { utc: new Date(Date.now()).toISOString(), offsetSeconds: 46_800, cmdId: 'set' });
    await one.run(2 * second);
    expect(one.states('set')).toEqual(['accepted', 'done']);
    expect(Math.abs(one.ipcs(worn).at(-1)?.clock ?? 99)).toBeLessThan(5);
  });

  it('Ping: at once', () => {
    const one = field();
    one.tell(inc, 'cmd', command('ping', 23));
    return one.run(0).then(() => expect(one.states('ping')).toEqual(['accepted', 'done']));
  });

  it('D100_FlowReset: the meter starts anew', async () => {
    const one = field();
    const mac = world.sensorNamed('Dairy shed');
    await one.run(20 * hour);
    expect(one.sensors(mac).at(-1)?.values.pulsesTotal).toBeGreaterThan(1000);
    one.tell(lora, 'config', { configId: 'zero', mac, configType: 'D100_FlowReset', config: {} });
    await one.run(2 * second);
    expect(one.acks('zero').at(-1)).toMatchObject({ state: 'done', mac });
    expect(one.sensors(mac).at(-1)?.values.pulsesTotal).toBe(0);
    expect(one.said.slice(-2).map(({ message }) => message.kind)).toEqual(['sensor', 'ack']);
  });
});
