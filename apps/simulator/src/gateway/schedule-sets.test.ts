import { inhibitedCrc, scheduleCrc } from '@headrace/device/schedule-crc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, hour, inc, minute, second, unitNamed } = world;
const [a01, a02, a03] = ['A01', 'A02', 'A03'].map(unitNamed) as [string, string, string];
/** 17:00 for two hours on the first and an hour on the second day of two. */
const evening = [
  { start: 1020, duration: 120, cycle: 1 },
  { start: 1020, duration: 60, cycle: 2 },
];
const crc = scheduleCrc(evening);

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

const unit = (mac: string, entries = evening) => ({ mac, crc: scheduleCrc(entries), entries });
const send = (rev: number, units: object[], more: object = {}) =>
  one.tell(inc, 'schedules', { setId: `s${rev}`, rev, part: 1, parts: 1, units, ...more });
const done = (rev: number) =>
  one.acks(`set-${rev}`).flatMap(({ mac, state }) => (mac && state === 'done' ? [mac] : []));

describe('a set of schedules', () => {
  it('is acknowledged unit by unit, as each is reached, and shows in their checksums', async () => {
    send(1, [unit(a01), unit(a02)]);
    await one.run(2 * second);
    expect(done(1)).toEqual([a01]);
    await one.run(2 * second);
    expect(done(1)).toEqual([a01, a02]);
    for (const mac of [a01, a02]) expect(one.ipcs(mac).at(-1)).toMatchObject({ ipcCrc: crc, scheduleNum: 2 });
  });

  it('counts when all parts are in; part 1 begins anew', async () => {
    send(1, [unit(a01)], { part: 1, parts: 2 });
    send(1, [unit(a02)], { part: 1, parts: 2 });
    send(1, [unit(a03)], { part: 2, parts: 2 });
    await one.run(minute);
    expect(done(1)).toEqual([a02, a03]);
  });

  it('is followed by the clock that the gateway was told last, with no new hello', async () => {
    send(1, [unit(a01)]);
    await one.run(minute);
    // An hour less than before: 17:00 comes an hour later.
    one.tell(inc, 'time', { utc: new Date(Date.now()).toISOString(), offsetSeconds: 43_200 });
    await one.run(4 * hour);
    const opened = one.ipcs(a01).find(({ valve }) => valve === 'open')?.sentAt ?? 0;
    expect(opened - world.afternoon).toBeGreaterThanOrEqual(2 * hour);
    expect(opened - world.afternoon).toBeLessThanOrEqual(2 * hour + minute);
  });

  it('is followed: the valve opens and shuts by it', async () => {
    send(1, [unit(a01)]);
    await one.run(4 * hour);
    const moves = one.ipcs(a01).filter(({ valve }, index, all) => valve !== all[index - 1]?.valve);
    // 16:00 in New Zealand at the start: open at 17:00, shut at 18:00 or 19:00, told with the farm's minute.
    const opened = moves.find(({ valve }) => valve === 'open')?.sentAt ?? 0;
    const shut = moves.findLast(({ valve }) => valve === 'closed')?.sentAt ?? 0;
    expect(opened - world.afternoon).toBeGreaterThanOrEqual(hour);
    expect(opened - world.afternoon).toBeLessThanOrEqual(hour + minute);
    const hours = one.ipcs(a01).at(-1)?.cycleDay === 1 ? 2 : 1;
    expect(Math.abs(shut - opened - hours * hour)).toBeLessThanOrEqual(minute);
  });

  it('sent again, asks no unit twice and answers at once for one that holds it', async () => {
    send(1, [unit(a01), unit(a02)]);
    await one.run(3 * second);
    send(1, [unit(a01), unit(a02)]);
    await one.run(0);
    expect(done(1)).toEqual([a01, a01]);
    await one.run(minute);
    expect(done(1)).toEqual([a01, a01, a02]);
    expect(one.ipcs(a02).filter(({ ipcCrc }) => ipcCrc === crc)).toHaveLength(1);
  });

  it('leaves a unit to a newer set that names it, and keeps its others', async () => {
    send(1, [unit(a01), unit(a02), unit(a03)]);
    const later = [{ start: 60, duration: 30, cycle: 1 }];
    send(2, [unit(a02, later)]);
    await one.run(minute);
    expect(done(1)).toEqual([a01, a03]);
    expect(done(2)).toEqual([a02]);
    send(1, [unit(a02)]);
    await one.run(minute);
    expect(done(1)).toEqual([a01, a03]);
    expect(one.ipcs(a02).at(-1)).toMatchObject({ ipcCrc: scheduleCrc(later) });
  });

  it('is taken back by one without units', async () => {
    send(1, [unit(a01), unit(a02), unit(a03)]);
    await one.run(2 * second);
    // The second is on the air, which can't be taken back.
    send(1, []);
    await one.run(minute);
    expect(done(1)).toEqual([a01, a02]);
    expect(one.ipcs(a03).some(({ ipcCrc }) => ipcCrc === crc)).toBe(false);
    send(2, [unit(a03)]);
    await one.run(minute);
    expect(done(2)).toEqual([a03]);
  });

  it('taken back while a unit is asked and not heard, asks it no more and says nothing of it', async () => {
    const deaf = unitNamed('E10');
    send(1, [unit(deaf), unit(a01)]);
    await one.run(second);
    send(1, []);
    one.tell(inc, 'cmd', command('poll', 1, { mac: a02 }));
    await one.run(minute);
    expect(one.acks('set-1').filter(({ mac }) => mac !== undefined)).toEqual([]);
    expect(one.acks('poll').at(-1)?.sentAt).toBe(world.afternoon + 4 * second);
  });

  it('leaves units alone that were not begun in time', async () => {
    send(1, [unit(a01), unit(a02)], { expiresAt: new Date(world.afternoon + second).toISOString() });
    await one.run(minute);
    expect(done(1)).toEqual([a01]);
    expect(one.acks('set-1').some(({ mac }) => mac === a02)).toBe(false);
  });

  it('says who did not answer, and tries that one anew when it is sent again', async () => {
    const deaf = unitNamed('E10');
    send(1, [unit(deaf), unit(a01)]);
    await one.run(minute);
    expect(one.acks('set-1').filter(({ mac }) => mac === deaf)).toMatchObject([
      { state: 'failed', error: 'no answer from the unit after 3 attempts' },
    ]);
    expect(done(1)).toEqual([a01]);
    send(1, [unit(deaf)]);
    await one.run(minute);
    expect(one.acks('set-1').filter(({ mac }) => mac === deaf)).toHaveLength(2);
  });

  it('frees a sprinkler that was inhibited', async () => {
    one.tell(inc, 'cmd', command('stop', 4, { mac: a01 }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: inhibitedCrc });
    send(1, [unit(a01)]);
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: crc });
  });

  it('goes on after a kill with the units that were left', async () => {
    send(1, [unit(a01), unit(a02)]);
    await one.run(3 * second);
    one.stop();
    one = world.liveField({ state: one.kept() });
    await one.run(minute);
    expect(done(1)).toEqual([a02]);
  });
});

describe('a schedule in a cycle of so many days', () => {
  const daily = [{ start: 1020, duration: 60, cycle: 1 }];

  it('is not the same as one with the same entries in another cycle: the unit is told', async () => {
    send(1, [unit(a01, daily)], { cycleLen: 1 });
    await one.run(2 * second);
    send(2, [unit(a01, daily)], { cycleLen: 2 });
    await one.run(0);
    expect(done(2)).toEqual([]);
    await one.run(2 * second);
    expect(done(2)).toEqual([a01]);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: scheduleCrc(daily), cycleLen: 2 });
    send(3, [unit(a01, daily)], { cycleLen: 2 });
    await one.run(0);
    expect(done(3)).toEqual([a01]);
  });

  it('is followed: every second farm day, the one whose number is even first', async () => {
    one.stop();
    // Three days of one unit: of the whole farm they would take half a minute.
    const sprinklers = world.rakaia.sprinklers.filter(({ mac }) => mac === a01);
    one = world.liveField({ profile: { ...world.rakaia, sprinklers, sensors: [] } });
    send(1, [unit(a01, [{ start: 1020, duration: 60, cycle: 1 }])], { cycleLen: 2 });
    await one.run(73 * hour);
    const opened = one
      .ipcs(a01)
      .filter(({ valve }, index, all) => valve === 'open' && all[index - 1]?.valve !== 'open');
    // The 10th of February 2026 in New Zealand is day 20,494: even. 17:00 is 04:00Z.
    expect(opened.map(({ at }) => at.slice(0, 13))).toEqual(['2026-02-10T04', '2026-02-12T04']);
  });

  it('that is not said comes round with the latest day of its entries', async () => {
    send(1, [unit(a01)]);
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ cycleLen: 2 });
  });

  it('a unit that says it holds nothing may be inhibited: one to be cleared is told', async () => {
    send(1, [unit(a01)]);
    await one.run(2 * second);
    one.tell(inc, 'cmd', command('stop', 4, { mac: a01 }));
    await one.run(2 * second);
    send(2, [unit(a01, [])]);
    await one.run(0);
    expect(done(2)).toEqual([]);
    await one.run(2 * second);
    expect(done(2)).toEqual([a01]);
    one.tell(inc, 'cmd', command('go', 5, { mac: a01 }));
    await one.run(2 * second);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: inhibitedCrc, scheduleNum: 0 });
  });
});

describe('what a gateway holds', () => {
  const held = () => one.kept().gateways[inc]?.schedules ?? {};
  const deaf = unitNamed('E10');

  it('is what its units have said they hold', async () => {
    send(1, [unit(a01), unit(a02)], { cycleLen: 3 });
    await one.run(2 * second);
    expect(held()).toEqual({ [a01]: { rev: 1, crc, entries: evening, cycleLength: 3 } });
  });

  it.each([
    ['withdrawn', () => send(1, [])],
    ['stopped', () => one.tell(inc, 'cmd', command('stop', 4, { mac: a02 }))],
  ])('is nothing that was %s before it was begun', async (_name, end) => {
    send(1, [unit(a01), unit(a02)]);
    await one.run(second);
    end();
    await one.run(minute);
    expect(held()[a02]).toBeUndefined();
    expect(one.ipcs(a02).some(({ ipcCrc }) => ipcCrc === crc)).toBe(false);
  });

  it('is nothing whose time ran out', async () => {
    send(1, [unit(a01), unit(a02)], { expiresAt: new Date(world.afternoon + second).toISOString() });
    await one.run(minute);
    expect(Object.keys(held())).toEqual([a01]);
  });

  it('is not known of a unit that was told another and not heard', async () => {
    send(1, [unit(a01)]);
    await one.run(2 * second);
    expect(Object.keys(held())).toEqual([a01]);
    one.live.faults.add(a01, { kind: 'no-ack', since: Date.now(), until: null, value: 0 });
    send(2, [unit(a01, [{ start: 60, duration: 30, cycle: 1 }]), unit(deaf)]);
    await one.run(minute);
    expect(held()).toEqual({});
  });

  it('no older set comes back for a unit whose newer one was withdrawn, stopped or too late', async () => {
    send(5, [unit(a01)], { expiresAt: new Date(world.afternoon - second).toISOString() });
    await one.run(second);
    send(4, [unit(a01)]);
    await one.run(minute);
    expect(done(4)).toEqual([]);
  });
});

describe('a list of units', () => {
  const part = { rev: 3, part: 1, parts: 1, farmId: '01:01', channel: 3, repeaters: [] };
  const listed = (mac: string) => {
    return { mac, name: 'x', serialNumber: 'x', farmId: '01:01', channel: 3, commsMode: 0 };
  };

  it('says whom the gateway speaks for and how many it serves; an older one is forgotten', async () => {
    one.tell(inc, 'ipc-list', { ...part, ipcs: [listed(a01)] });
    one.tell(inc, 'ipc-list', { ...part, rev: 2, ipcs: [listed(a02)] });
    one.tell(inc, 'cmd', command('status', 16));
    await one.run(7 * hour);
    expect(one.acks('list-3').map(({ state }) => state)).toEqual(['done']);
    expect(one.acks('list-2')).toEqual([]);
    expect(one.statuses(inc).at(-1)?.settings).toMatchObject({ ipcListSize: 1, rptrListSize: 0 });
    expect(one.ipcs(a01).length).toBeGreaterThan(0);
    expect(one.ipcs(a02)).toEqual([]);
    expect(one.live.gateways.get(inc)?.about()).toMatchObject({ listRev: 3 });
  });
});
