import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, minute, second, unitNamed } = world;
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
    // Two days of the gateway alone: of the whole farm they would take half a minute.
    const one = field({ profile: { ...world.rakaia, sprinklers: [], sensors: [] } });
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
