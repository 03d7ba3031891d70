import { commandTable } from '@headrace/device/commands';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, lora, minute, second, unitNamed } = world;
const a01 = unitNamed('A01');
const a02 = unitNamed('A02');
const a03 = unitNamed('A03');
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

  it('6 UpdateSchedule and 10 SendScheduleSet are no commands of their own: they come as a set', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('six', 6));
    await one.run(5 * second);
    expect(one.acks('six').at(-1)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('UpdateSchedule'),
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

describe('the life of a command', () => {
  it('the radio reaches one unit at a time, in order', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('first', 1, { mac: a01 }));
    one.tell(inc, 'cmd', command('second', 1, { mac: a02 }));
    one.tell(inc, 'cmd', command('third', 1, { mac: a03 }));
    await one.run(minute);
    const doneAt = ['first', 'second', 'third'].map((id) => (one.acks(id)[1]?.sentAt ?? 0) - world.afternoon);
    expect(doneAt).toEqual([2 * second, 4 * second, 6 * second]);
    for (const id of ['first', 'second', 'third']) expect(one.acks(id)[0]?.sentAt).toBe(world.afternoon);
  });

  it('a unit that does not answer is asked three times and holds the others up so long', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('deaf', 1, { mac: unitNamed('E10') }));
    one.tell(inc, 'cmd', command('next', 1, { mac: a01 }));
    await one.run(minute);
    expect(one.acks('deaf').at(-1)).toMatchObject({
      state: 'failed',
      error: 'no answer from the unit after 3 attempts',
      sentAt: world.afternoon + 6 * second,
    });
    expect(one.acks('next').at(-1)).toMatchObject({ state: 'done', sentAt: world.afternoon + 8 * second });
  });

  it('what the air swallows is tried again', async () => {
    const one = field({ radio: { radioLoss: 0.5 } });
    const macs = world.rakaia.sprinklers.slice(0, 40).map(({ mac }) => mac);
    one.tell(inc, 'cmd', command('lossy', 22, { payload: { macs } }));
    await one.run(5 * minute);
    const settled = one.acks('lossy').filter(({ mac }) => mac !== undefined);
    expect(settled).toHaveLength(40);
    // Lost three times in a row: one in eight.
    const failed = settled.filter(({ state }) => state === 'failed').length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(12);
    // 40 units, 1.75 attempts each on average, 2 s an attempt.
    const lastAt = Math.max(...settled.map(({ sentAt }) => sentAt)) - world.afternoon;
    expect(lastAt / (2 * second)).toBeGreaterThan(50);
    expect(lastAt / (2 * second)).toBeLessThan(90);
  });

  it('a group tells how far it is', async () => {
    const one = field();
    const macs = world.rakaia.sprinklers.slice(0, 12).map(({ mac }) => mac);
    one.tell(inc, 'cmd', command('group', 22, { payload: { macs } }));
    await one.run(minute);
    const progress = one.acks('group').filter(({ state }) => state === 'progress');
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [5, 12],
      [10, 12],
      [12, 12],
    ]);
  });

  it('units not begun in time are left alone, without a word', async () => {
    const one = field();
    const macs = [a01, a02, a03, unitNamed('A04')];
    const expiresAt = new Date(world.afternoon + 5 * second).toISOString();
    one.tell(inc, 'cmd', { ...command('short', 8, { payload: { macs } }), expiresAt });
    await one.run(minute);
    // Begun at 0, 2 and 4 seconds; the fourth would have been at 6.
    expect(one.acks('short').flatMap(({ mac, state }) => (mac ? [[mac, state]] : []))).toEqual([
      [a01, 'done'],
      [a02, 'done'],
      [a03, 'done'],
    ]);
    expect(one.ipcs(unitNamed('A04')).map(({ ipcCrc }) => ipcCrc)).not.toContain(inhibitedCrc);
  });

  it('goes by the clock that the server set', async () => {
    const one = field();
    one.tell(inc, 'time', { utc: new Date(world.afternoon + hour).toISOString(), offsetSeconds: 46_800 });
    one.tell(inc, 'cmd', command('stale', 1, { mac: a01 }));
    await one.run(minute);
    expect(one.acks('stale')).toEqual([]);
  });

  it('says its last answer again and does nothing twice', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(2 * second);
    one.tell(inc, 'cmd', command('off', 3, { mac: a01 }));
    await one.run(2 * second);
    one.tell(inc, 'cmd', command('on', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(minute);
    expect(one.states('on')).toEqual(['accepted', 'done', 'done']);
    expect(one.acks('on')[2]).toMatchObject({ at: one.acks('on')[1]?.at });
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('a group that comes in pieces and again: each unit once', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('g', 22, { payload: { macs: [a01] } }));
    await one.run(3 * second);
    one.tell(inc, 'cmd', command('g', 22, { payload: { macs: [a01, a02] } }));
    await one.run(minute);
    const done = one.acks('g').filter(({ state }) => state === 'done');
    expect(done.map(({ mac }) => mac)).toEqual([a01, a01, a02]);
    expect(one.ipcs(a01).filter(({ polledAt }) => polledAt !== undefined)).toHaveLength(1);
  });

  it('an answer that got lost is heard after a kill -9 and a restart, and nothing is done again', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('open', 2, { mac: a01, maxOpenMinutes: 20 }));
    await one.run(2 * second);
    const left = one.kept();
    one.stop();
    const again = field({ state: left });
    again.tell(inc, 'cmd', command('shut', 3, { mac: a01 }));
    await again.run(3 * second);
    again.tell(inc, 'cmd', command('open', 2, { mac: a01, maxOpenMinutes: 20 }));
    await again.run(minute);
    expect(again.states('open')).toEqual(['done']);
    expect(again.ipcs(a01).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('what was accepted before a kill is done after it, once', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('g', 22, { payload: { macs: [a01, a02, a03] } }));
    await one.run(3 * second);
    const left = one.kept();
    one.stop();
    expect(
      one
        .acks('g')
        .filter(({ state }) => state === 'done')
        .map(({ mac }) => mac),
    ).toEqual([a01]);
    const again = field({ state: left });
    await again.run(minute);
    expect(
      again
        .acks('g')
        .filter(({ state }) => state === 'done')
        .map(({ mac }) => mac),
    ).toEqual([a02, a03]);
  });

  it('nothing is said before the state file holds it', async () => {
    const one = field({ diskHangs: true });
    one.tell(inc, 'cmd', command('open', 2, { mac: a01 }));
    await one.run(minute);
    expect(one.acks('open')).toEqual([]);
    expect(one.kept().gateways[inc]?.answered).toMatchObject([{ cmdId: 'open', whole: { state: 'done' } }]);
  });

  it('remembers 2,000 commands, and more while they are younger than two days', async () => {
    const one = field();
    for (let index = 0; index < 2100; index += 1) one.tell(inc, 'cmd', command(`ping-${index}`, 23));
    await one.run(second);
    one.tell(inc, 'cmd', command('ping-0', 23));
    await one.run(second);
    expect(one.states('ping-0')).toEqual(['accepted', 'done', 'done']);
    await one.run(49 * hour);
    one.tell(inc, 'cmd', command('later', 23));
    await one.run(second);
    expect(one.kept().gateways[inc]?.answered).toHaveLength(2000);
  });

  it('an unknown unit does not answer, and a command without one says what is missing', async () => {
    const one = field();
    one.tell(inc, 'cmd', command('who', 1, { mac: newUnit.mac }));
    one.tell(inc, 'cmd', command('none', 1));
    one.tell(inc, 'cmd', command('empty', 22, { payload: { macs: [] } }));
    await one.run(minute);
    expect(one.acks('who').at(-1)).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
    expect(one.acks('none').at(-1)).toMatchObject({ error: 'mac is missing: it must name the unit' });
    expect(one.acks('empty').at(-1)?.error).toContain('payload.macs must name units');
  });
});
