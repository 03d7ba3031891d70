import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { command, inc, lora, minute, second, unitNamed } = world;
const [a01, a02, a03, a04, a05] = ['A01', 'A02', 'A03', 'A04', 'A05'].map(unitNamed) as [
  string,
  string,
  string,
  string,
  string,
];
const deaf = unitNamed('E10');
const entries = [{ start: 60, duration: 30, cycle: 1 }];
const stopped = { state: 'failed', error: 'stopped meanwhile' };

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
const group = (cmdId: string, type: number, macs: string[], more: object = {}) =>
  tell(cmdId, type, { payload: { macs }, ...more });
const schedules = (rev: number, macs: string[], more: object = {}) =>
  one.tell(inc, 'schedules', {
    setId: 's',
    rev,
    part: 1,
    parts: 1,
    units: macs.map((mac) => ({ mac, crc: '12:34', entries })),
    ...more,
  });
/** Seconds from the start of the test until each unit's last word, in order. */
const settled = (cmdId: string) =>
  one
    .acks(cmdId)
    .filter(({ state }) => state === 'done' || state === 'failed')
    .map(({ mac, state, sentAt }) => [mac, state, (sentAt - world.afternoon) / second]);
const last = (cmdId: string, mac?: string) =>
  one.acks(cmdId).findLast((ack) => mac === undefined || ack.mac === mac);
const wasOpen = (mac: string) => one.ipcs(mac).some(({ valve }) => valve === 'open');
/** The gateway goes off and on again, as with a kill. */
function killAndWake(): void {
  one.stop();
  one = world.liveField({ state: one.kept() });
}

describe('the radio', () => {
  it('serves stops first, then starts, single units, and many; in each what came first', async () => {
    group('many', 22, [a01, a02]);
    tell('single', 1, { mac: a03 });
    tell('start', 2, { mac: a04 });
    tell('stop', 3, { mac: a05 });
    tell('stop-2', 4, { mac: a04 });
    await one.run(minute);
    // The first of the many was on the air already.
    expect(settled('many').map(([, , at]) => at)).toEqual([2, 10]);
    expect(settled('stop')).toEqual([[a05, 'done', 4]]);
    expect(settled('stop-2')).toEqual([[a04, 'done', 6]]);
    expect(last('start')).toMatchObject(stopped);
    expect(settled('single')).toEqual([[a03, 'done', 8]]);
  });

  it('goes by the priority that is given', async () => {
    group('first', 22, [a01]);
    tell('usual', 1, { mac: a02 });
    tell('late', 1, { mac: a03, priority: 3 });
    group('soon', 22, [a04], { priority: 1 });
    await one.run(minute);
    expect(['soon', 'usual', 'late'].map((id) => settled(id)[0]?.[2])).toEqual([4, 6, 8]);
  });

  it('lets a stop in between two tries of another unit, which then goes on', async () => {
    tell('deaf', 1, { mac: deaf });
    await one.run(second);
    tell('off', 3, { mac: a01 });
    await one.run(minute);
    expect(settled('off')).toEqual([[a01, 'done', 4]]);
    expect(settled('deaf')).toEqual([[deaf, 'failed', 8]]);
    expect(last('deaf')).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
  });
});

describe('a stop ends what waits to start', () => {
  it.each([
    ['ValveOn', () => tell('start', 2, { mac: a02 }), 'start'],
    ['TurnGroupValvesOn', () => group('start', 30, [a02]), 'start'],
    ['Uninhibit', () => tell('start', 5, { mac: a02 }), 'start'],
    ['UninhibitGroup', () => group('start', 9, [a02]), 'start'],
    ['schedules with entries', () => schedules(4, [a02]), 'set-4'],
  ])('%s', async (_name, start, cmdId) => {
    tell('busy', 1, { mac: a01 });
    start();
    await one.run(second);
    tell('off', 3, { mac: a02 });
    await one.run(minute);
    expect(last(cmdId, a02)).toMatchObject(stopped);
    expect(wasOpen(a02)).toBe(false);
    expect(one.ipcs(a02).some(({ ipcCrc }) => ipcCrc === '12:34')).toBe(false);
    expect(settled('off')).toEqual([[a02, 'done', 4]]);
  });

  it.each([
    ['ValveOff', () => tell('stop', 3, { mac: a02 })],
    ['TurnGroupValvesOff', () => group('stop', 31, [a02, a05])],
    ['Inhibit', () => tell('stop', 4, { mac: a02 })],
    ['InhibitGroup', () => group('stop', 8, [a02])],
  ])('by %s, of its own units alone', async (_name, stop) => {
    group('on', 30, [a01, a02, a03]);
    await one.run(second);
    stop();
    await one.run(minute);
    expect(last('on', a02)).toMatchObject(stopped);
    for (const mac of [a01, a03]) expect(last('on', mac)).toMatchObject({ state: 'done' });
    expect(last('on')).toMatchObject({ state: 'progress', done: 3, total: 3 });
  });

  it('leaves questions, and schedules that clear, alone', async () => {
    tell('busy', 1, { mac: a01 });
    tell('poll', 1, { mac: a02 });
    one.tell(inc, 'schedules', {
      setId: 's',
      rev: 1,
      part: 1,
      parts: 1,
      units: [{ mac: a02, crc: 'D6:DA', entries: [] }],
    });
    tell('off', 3, { mac: a02 });
    await one.run(minute);
    expect(last('poll')).toMatchObject({ state: 'done' });
    expect(last('set-1', a02)).toMatchObject({ state: 'done' });
  });

  it('comes right after a start that is on the air, before the stops of others', async () => {
    tell('on', 2, { mac: a01 });
    await one.run(second);
    group('off', 31, [a03, a02, a01]);
    await one.run(minute);
    expect(settled('on')).toEqual([[a01, 'done', 2]]);
    expect(settled('off')).toEqual([
      [a01, 'done', 4],
      [a03, 'done', 6],
      [a02, 'done', 8],
    ]);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'closed' });
  });

  it('ends the tries of one that is on the air and not heard', async () => {
    tell('on', 2, { mac: deaf });
    await one.run(second);
    tell('off', 3, { mac: deaf });
    await one.run(minute);
    expect(last('on')).toMatchObject({ ...stopped, sentAt: world.afternoon + 2 * second });
    expect(settled('off')).toEqual([[deaf, 'failed', 8]]);
  });

  it('ends a schedule that is on the air for good, also when the gateway is killed then', async () => {
    schedules(1, [a01]);
    await one.run(second);
    tell('inhibit', 4, { mac: a01 });
    killAndWake();
    await one.run(minute);
    expect(last('set-1', a01)).toMatchObject(stopped);
    expect(settled('inhibit')).toEqual([[a01, 'done', 3]]);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ ipcCrc: 'D6:DA' });
  });

  it('is passed on also while the list of units is lost', async () => {
    tell('on', 2, { mac: a01 });
    await one.run(3 * second);
    one.live.faults.add(inc, { kind: 'list-lost', since: Date.now(), until: null, value: 0 });
    tell('off', 3, { mac: a01 });
    tell('on-2', 2, { mac: a01 });
    await one.run(minute);
    expect(last('off')).toMatchObject({ state: 'done' });
    expect(last('on-2')).toMatchObject({ error: 'the list of units is not loaded' });
    expect(one.live.units.find(a01)?.state.openUntil).toBeUndefined();
  });

  it('ToggleIO off ends ToggleIO on of that relay', async () => {
    const relay = (cmdId: string, number: number, set: boolean) =>
      tell(cmdId, 24, { payload: { relay: number, set } });
    relay('on-4', 4, true);
    relay('on-5', 5, true);
    relay('off-4', 4, false);
    await one.run(5 * second);
    expect(last('on-4')).toMatchObject(stopped);
    expect(last('off-4')).toMatchObject({ state: 'done' });
    expect(last('on-5')).toMatchObject({ state: 'done' });
    expect(one.io().some(({ relays }) => relays[3])).toBe(false);
  });
});

describe('by seq', () => {
  it('a start that is older than a stop is not carried out, though it comes after it', async () => {
    tell('off', 3, { mac: a01, seq: 8 });
    await one.run(3 * second);
    tell('on', 2, { mac: a01, seq: 7 });
    group('all', 30, [a01, a02], { seq: 6 });
    schedules(1, [a01, a02], { seq: 5 });
    await one.run(minute);
    expect(one.states('on')).toEqual(['failed']);
    expect(last('on')).toMatchObject(stopped);
    expect(last('all', a01)).toMatchObject(stopped);
    expect(last('set-1', a01)).toMatchObject(stopped);
    expect(wasOpen(a01)).toBe(false);
    expect(last('all', a02)).toMatchObject({ state: 'done' });
    expect(last('set-1', a02)).toMatchObject({ state: 'done' });
  });

  it('also after a restart', async () => {
    group('off', 31, [a01, a02], { seq: 8 });
    tell('relay-off', 24, { payload: { relay: 5, set: false }, seq: 9 });
    await one.run(10 * second);
    killAndWake();
    tell('on', 2, { mac: a02, seq: 7 });
    tell('relay-on', 24, { payload: { relay: 5, set: true }, seq: 8 });
    tell('on-newer', 2, { mac: a01, seq: 10 });
    await one.run(minute);
    expect(last('on')).toMatchObject(stopped);
    expect(last('relay-on')).toMatchObject(stopped);
    expect(last('on-newer')).toMatchObject({ state: 'done' });
  });

  it('a start that is newer than the stop stays, and comes after it', async () => {
    tell('busy', 1, { mac: a02 });
    tell('on', 2, { mac: a01, seq: 9 });
    tell('off', 3, { mac: a01, seq: 8 });
    await one.run(minute);
    expect(settled('off')).toEqual([[a01, 'done', 4]]);
    expect(settled('on')).toEqual([[a01, 'done', 6]]);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
  });

  it('a newer start that the unit did unheard is done again after an older stop', async () => {
    const noAck = { kind: 'no-ack' as const, since: Date.now(), until: Date.now() + 2500, value: 0 };
    one.live.faults.add(a01, noAck);
    tell('on', 2, { mac: a01, seq: 9 });
    await one.run(second);
    tell('other', 3, { mac: a02 });
    await one.run(1500);
    tell('off', 3, { mac: a01, seq: 8 });
    await one.run(minute);
    expect(settled('off')).toEqual([[a01, 'done', 6]]);
    expect(settled('on')).toEqual([[a01, 'done', 8]]);
    expect(one.ipcs(a01).at(-1)).toMatchObject({ valve: 'open' });
  });

  it('the highest stop counts, whatever comes last', async () => {
    tell('off-9', 3, { mac: a01, seq: 9 });
    tell('off-3', 3, { mac: a01, seq: 3 });
    await one.run(10 * second);
    tell('on', 2, { mac: a01, seq: 8 });
    await one.run(minute);
    expect(last('on')).toMatchObject(stopped);
  });

  it('each gateway has its own', async () => {
    tell('off', 3, { mac: a01, seq: 100 });
    await one.run(5 * second);
    one.tell(lora, 'cmd', command('on', 2, { mac: a01, seq: 1 }));
    await one.run(minute);
    expect(last('on')).toMatchObject({ error: 'no answer from the unit after 3 attempts' });
  });

  it('after the newest is a stop, nothing is open and nothing opens any more, in whichever order all came', async () => {
    const macs = [a01, a02, deaf];
    const action = fc.record({
      isStop: fc.boolean(),
      mac: fc.constantFrom(...macs),
      waitMs: fc.constantFrom(0, 500, 2000, 5000),
      isGroup: fc.boolean(),
    });
    const plan = fc.array(action, { minLength: 2, maxLength: 10 }).chain((actions) =>
      fc.tuple(
        fc.constant(actions),
        fc.shuffledSubarray(
          actions.map((_action, index) => index + 1),
          { minLength: actions.length },
        ),
        fc.option(fc.integer({ min: 0, max: 9 })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(plan, async ([actions, seqs, killAt]) => {
        one.stop();
        one = world.liveField({ radio: { radioLoss: 0.3 } });
        for (const [index, { isStop, mac, waitMs, isGroup }] of actions.entries()) {
          const more = { seq: seqs[index] };
          if (isGroup) group(`c${index}`, isStop ? 31 : 30, [mac], more);
          else tell(`c${index}`, isStop ? 3 : 2, { mac, ...more });
          await one.run(waitMs);
          if (index === killAt) {
            one.stop();
            one = world.liveField({ state: one.kept(), radio: { radioLoss: 0.3 } });
          }
        }
        await one.run(3 * minute);
        for (const mac of macs) {
          const own = actions.flatMap((each, index) =>
            each.mac === mac ? [{ ...each, seq: seqs[index] ?? 0, index }] : [],
          );
          const newest = own.sort((left, right) => right.seq - left.seq)[0];
          if (!newest?.isStop || last(`c${newest.index}`, mac)?.state !== 'done') continue;
          const { openUntil = 0 } = one.live.units.find(mac)?.state ?? {};
          expect(openUntil).toBeLessThanOrEqual(Date.now());
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
