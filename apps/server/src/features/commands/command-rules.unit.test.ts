import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import { commandTypes } from '@headrace/contract/command-types';
import { commandTable } from '@headrace/device/commands';
import { afterAnswer, type Answer, commandStateOf, expiryNote, type UnitCounts } from './command-life.ts';
import { messageOf } from './command-message.ts';
import { dueUnits } from './deliver.ts';
import type { LiveUnit } from './deliver.repo.ts';
import { listMessages, scheduleMessages, unitEntries } from './down-messages.ts';
import { whyClosed, whyStillOpen } from './valve-close.ts';

const at = (text: string) => new Date(`2026-11-20T${text}Z`);
const inTime = { at: at('21:05:00'), expiresAt: at('21:10:00') };
const late = { at: at('21:11:00'), expiresAt: at('21:10:00') };

it('the 31 commands have the numbers of the specification, for browsers and for gateways', () => {
  const inOrder = `
    Poll ValveOn ValveOff Inhibit Uninhibit UpdateSchedule Replace InhibitGroup UninhibitGroup SendScheduleSet
    UpdateInc UpdateSettings UpdateINCList IncCommStart IncTimeSet IncStatusReq IncScheduleAll IncSaveIpcList
    IncSaveItuList ChangeGroupComms IncClearStatus PollGroup Ping ToggleIO IpcReconfigure IncReconfigure IpcUpdate
    ReconfigureGroup RefreshAll TurnGroupValvesOn TurnGroupValvesOff`
    .trim()
    .split(/\s+/)
    .map((name, index) => [name, index + 1]);
  expect(Object.entries(commandTypes)).toEqual(inOrder);
  expect(commandTable.map(({ name, type }) => [name, type])).toEqual(inOrder);
});

describe('the state of a unit after an answer', () => {
  const rows: [UnitState, Answer, typeof late, UnitState | null][] = [
    ['queued', 'accepted', inTime, 'accepted'],
    ['sent', 'accepted', inTime, 'accepted'],
    ['sent', 'progress', inTime, 'accepted'],
    ['accepted', 'progress', inTime, null],
    ['sent', 'done', inTime, 'done'],
    ['accepted', 'failed', inTime, 'failed'],
    ['expired', 'accepted', inTime, 'accepted'],
    ['expired', 'accepted', late, null],
    ['expired', 'done', late, 'done'],
    ['cancelled', 'accepted', inTime, null],
    ['cancelled', 'done', inTime, 'done'],
    ['done', 'failed', inTime, null],
    ['failed', 'done', inTime, null],
    ['skipped', 'done', inTime, null],
  ];
  for (const [state, answer, said, after] of rows)
    it(`${state}, ${answer}${said === late ? ' late' : ''}: ${after ?? 'as it was'}`, () => {
      expect(afterAnswer(state, answer, said)).toBe(after);
    });

  it('is the same whatever the order and however often the answers come, once the last of them is in', () => {
    const answers = fc.array(fc.constantFrom<Answer>('accepted', 'progress', 'done'), { minLength: 1 });
    fc.assert(
      fc.property(answers, fc.infiniteStream(fc.nat()), (given, places) => {
        const end = (order: readonly Answer[]) =>
          order.reduce<UnitState>((state, answer) => afterAnswer(state, answer, inTime) ?? state, 'sent');
        const mixed = [...given, ...given]
          .map((answer) => ({ answer, place: places.next().value as number }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ answer }) => answer);
        expect(end(mixed)).toBe(end(given));
        expect(end(given)).toBe(given.includes('done') ? 'done' : 'accepted');
      }),
    );
  });
});

describe('the state of a command', () => {
  const rows: [UnitCounts, CommandState][] = [
    [{ queued: 2 }, 'queued'],
    [{ queued: 1, sent: 1 }, 'sent'],
    [{ sent: 1, accepted: 1 }, 'accepted'],
    [{ sent: 1, done: 1 }, 'progress'],
    [{ queued: 1, expired: 1 }, 'progress'],
    [{ done: 2, skipped: 1 }, 'done'],
    [{ skipped: 1 }, 'done'],
    [{ done: 2, expired: 1 }, 'expired'],
    [{ done: 2, expired: 1, failed: 1 }, 'failed'],
    [{ done: 2, cancelled: 1 }, 'cancelled'],
  ];
  for (const [counts, state] of rows)
    it(`${JSON.stringify(counts)}: ${state}`, () => expect(commandStateOf(counts)).toBe(state));
});

describe('what is said of a command', () => {
  const about = { title: 'Poll Group', note: '', resultMessage: null, progress: null };
  const rows: [CommandState, UnitCounts, string][] = [
    ['queued', { queued: 3 }, 'Poll Group: waiting for the gateway.'],
    ['sent', { sent: 3 }, 'Poll Group: sent, not answered yet.'],
    ['accepted', { accepted: 3 }, 'Poll Group: the gateway has it.'],
    ['progress', { sent: 1, done: 1, failed: 1 }, 'Poll Group: 1 of 3 done, 1 failed.'],
    ['done', { done: 2, skipped: 1 }, 'Poll Group: done, 1 of 3 had it already.'],
    ['done', { skipped: 1 }, 'Poll Group: done: the unit had it already.'],
    ['failed', { done: 2, failed: 1 }, 'Poll Group: 1 of 3 failed.'],
    ['expired', { done: 2, expired: 1 }, 'Poll Group: 1 of 3 ran out of time.'],
    ['cancelled', { done: 2, cancelled: 1 }, 'Poll Group: cancelled; 2 of 3 done.'],
    ['cancelled', { cancelled: 3 }, 'Poll Group: cancelled before it was sent.'],
  ];
  for (const [state, counts, message] of rows)
    it(message, () => expect(messageOf({ ...about, state, counts })).toBe(message));

  it('never claims that nothing was sent where it may have been', () => {
    expect(expiryNote('queued', false)).toMatch(/^Not sent/);
    for (const [state, isGivenOut] of [
      ['queued', true],
      ['sent', true],
      ['accepted', true],
    ] as const)
      expect(expiryNote(state, isGivenOut)).not.toMatch(/not sent/i);
  });
});

describe('why a valve is closed', () => {
  const open = { openedAt: at('21:00:00'), closesBy: at('21:30:00'), offAt: null };
  const rows: [reported: string, off: string | null, why: string][] = [
    ['21:29:00', null, 'Closed by its own limit of 30 min.'],
    ['21:28:59', null, 'Closed by the unit itself, before its limit of 30 min.'],
    ['21:35:00', null, 'Closed by its own limit of 30 min.'],
    ['21:35:01', null, 'Reported closed after its limit of 30 min had passed.'],
    ['21:10:00', '21:11:00', 'Closed by a Valve Off command.'],
    ['21:10:00', '21:11:01', 'Closed by the unit itself, before its limit of 30 min.'],
  ];
  for (const [reported, off, why] of rows)
    it(`reported at ${reported}, Off ${off ?? 'never'}: ${why}`, () => {
      expect(whyClosed({ ...open, offAt: off ? at(off) : null }, at(reported))).toBe(why);
    });

  it('past its limit by more than a minute it should have closed', () => {
    expect(whyStillOpen(open.closesBy, at('21:31:00'))).toBe('');
    expect(whyStillOpen(open.closesBy, at('21:31:01'))).toMatch(/^It should have closed/);
  });
});

const live = (commandId: number, deviceId: number, changes: Partial<LiveUnit> = {}): LiveUnit => ({
  farmId: 1,
  commandId,
  uid: `c${commandId}`,
  type: commandTypes.Poll,
  name: '',
  payload: {},
  maxOpenMinutes: null,
  expiresAt: at('21:10:00'),
  deviceId,
  unitName: `U${deviceId}`,
  mac: `70B3D5000000000${deviceId}`,
  state: 'queued',
  cmdId: null,
  entries: null,
  crc: null,
  isInStep: false,
  ...changes,
});

describe('what may go out', () => {
  const due = (units: LiveUnit[], isUnanswered = false) =>
    dueUnits(units, at('21:00:00'), isUnanswered).map(
      ({ commandId, deviceId }) => `${commandId}/${deviceId}`,
    );

  it('is the first command of each device', () => {
    expect(due([live(1, 1), live(2, 1), live(2, 2)])).toEqual(['1/1', '2/2']);
    expect(due([live(1, 1, { state: 'accepted' }), live(2, 1)])).toEqual([]);
  });

  it('after a hello is also what is unanswered, and never what is past its time', () => {
    const sent = live(1, 1, { state: 'sent' });
    expect(due([sent])).toEqual([]);
    expect(due([sent], true)).toEqual(['1/1']);
    expect(due([{ ...sent, expiresAt: at('21:00:00') }, live(2, 1)], true)).toEqual([]);
  });

  it('is a Ping at once, and once', () => {
    const ping = (changes: Partial<LiveUnit> = {}) => live(2, 1, { type: commandTypes.Ping, ...changes });
    expect(due([live(1, 1, { state: 'accepted' }), ping()])).toEqual(['2/1']);
    expect(due([ping({ state: 'sent' }), live(3, 1)], true)).toEqual(['3/1']);
  });
});

describe('messages in parts', () => {
  const units = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ mac: `M${index}`, name: '', entries: [], crc: 'D6:DA' }));
  for (const [count, sizes] of [
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [930, [100, 100, 100, 100, 100, 100, 100, 100, 100, 30]],
  ] as const)
    it(`${count} units are ${sizes.length} parts`, () => {
      const bodies = scheduleMessages(live(1, 1), units(count), 7).map(
        ({ body }) => body as { part: number; parts: number; rev: number; units: unknown[] },
      );
      expect(bodies.map((body) => body.units.length)).toEqual(sizes);
      expect(bodies.map(({ part, parts, rev }) => [part, parts, rev])).toEqual(
        sizes.map((_, index) => [index + 1, sizes.length, 7]),
      );
    });

  it('an empty list is one part too; repeaters go with the first', () => {
    const list = { rev: 3, farmId: '01:01', channel: 1, ipcs: [], repeaters: [] };
    expect(listMessages(list)).toMatchObject([{ kind: 'ipc-list', body: { part: 1, parts: 1, ipcs: [] } }]);
  });

  it('a unit knows minutes of a day', () => {
    expect(
      unitEntries([
        { start: 1439, duration: 5, cycle: 1 },
        { start: 2880, duration: 5, cycle: 3 },
      ]),
    ).toEqual([
      { start: 1439, duration: 5, cycle: 1 },
      { start: 0, duration: 5, cycle: 3 },
    ]);
  });
});
