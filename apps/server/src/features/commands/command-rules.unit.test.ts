import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import { commandTypes } from '@headrace/contract/command-types';
import { lanes } from '@headrace/device/lanes';
import { afterAnswer, type Answer, commandStateOf, expiryNote, type UnitCounts } from './command-life.ts';
import { messageOf } from './command-message.ts';
import { listMessages, scheduleMessages, unitEntries } from './down-messages.ts';
import { inLineOrder, lineSamples } from './line-order.ts';
import { whyClosed, whyStillOpen } from './valve-close.ts';

const at = (text: string) => new Date(`2026-11-20T${text}Z`);
const inTime = { at: at('21:05:00'), expiresAt: at('21:10:00') };
const late = { at: at('21:11:00'), expiresAt: at('21:10:00') };

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
    // Taken back and not done: as it was wanted.
    ['cancelled', 'failed', inTime, null],
    ['done', 'failed', inTime, null],
    ['failed', 'done', inTime, 'done'],
    ['failed', 'done', late, 'done'],
    ['failed', 'failed', late, null],
    ['failed', 'accepted', inTime, null],
    ['expired', 'failed', late, 'failed'],
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

describe('a command that left out who must not water', () => {
  const about = { title: 'Send Schedules', note: '', resultMessage: 'Sent.', progress: null };
  const rows: [UnitCounts, number, CommandState, string][] = [
    [{ skipped: 1 }, 1, 'failed', 'Send Schedules: Skipped: inhibited since 10:00 on 21 Nov.'],
    [{ skipped: 3 }, 3, 'failed', 'Send Schedules: 3 left out: inhibited.'],
    [{ skipped: 3 }, 2, 'done', 'Send Schedules: 1 had it already; 2 left out: inhibited.'],
    [{ done: 2, skipped: 1 }, 1, 'done', 'Send Schedules: 2 of 2 done; 1 left out: inhibited.'],
    [{ sent: 2, skipped: 1 }, 1, 'progress', 'Send Schedules: 0 of 2 done; 1 left out: inhibited.'],
    [
      { failed: 1, done: 1, skipped: 1 },
      1,
      'failed',
      'Send Schedules: 1 of 2 failed; 1 left out: inhibited.',
    ],
  ];
  for (const [counts, heldBack, state, message] of rows)
    it(`${JSON.stringify(counts)}: ${state}`, () => {
      expect(commandStateOf(counts, heldBack)).toBe(state);
      const note = 'Skipped: inhibited since 10:00 on 21 Nov.';
      expect(messageOf({ ...about, state, counts, heldBack, note })).toBe(message);
    });
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
    ['progress', { sent: 2, done: 1, skipped: 3 }, 'Poll Group: 1 of 3 done; 3 had it already.'],
    ['failed', { done: 2, failed: 1 }, 'Poll Group: 1 of 3 failed.'],
    ['failed', { done: 2, failed: 1, skipped: 3 }, 'Poll Group: 1 of 3 failed; 3 had it already.'],
    [
      'cancelled',
      { done: 2, cancelled: 1, skipped: 3 },
      'Poll Group: cancelled; 2 of 3 done; 3 had it already.',
    ],
    [
      'cancelled',
      { cancelled: 1, skipped: 3 },
      'Poll Group: cancelled before it was sent; 3 had it already.',
    ],
    ['expired', { done: 2, expired: 1 }, 'Poll Group: 1 of 3 ran out of time.'],
    ['cancelled', { done: 2, cancelled: 1 }, 'Poll Group: cancelled; 2 of 3 done.'],
    ['cancelled', { cancelled: 3 }, 'Poll Group: cancelled before it was sent.'],
  ];
  for (const [state, counts, message] of rows)
    it(message, () => expect(messageOf({ ...about, state, counts })).toBe(message));

  it.each([
    [{ cancelled: 3 }, 3, 'Poll Group: cancelled; 3 of 3 after it was sent.'],
    [{ cancelled: 3 }, 1, 'Poll Group: cancelled; 1 of 3 after it was sent.'],
    [{ done: 1, cancelled: 2 }, 1, 'Poll Group: cancelled; 1 of 3 done, 1 cancelled after it was sent.'],
    [{ cancelled: 1 }, 1, 'Poll Group: cancelled after it was sent. Replaced by another.'],
  ])('%j, of which a gateway may have %d: %s', (counts, cancelledLate, message) => {
    const note = 'Replaced by another.';
    expect(messageOf({ ...about, state: 'cancelled', counts, cancelledLate, note })).toBe(message);
  });

  it('says of a valve that its turn did not come', () => {
    expect(expiryNote('queued', false, { isOpening: true })).toBe(
      'Not opened: its turn did not come in time.',
    );
  });

  it('never claims that nothing was sent where it may have been', () => {
    expect(expiryNote('queued', false)).toMatch(/^Not sent/);
    for (const [state, isGivenOut] of [
      ['queued', true],
      ['sent', true],
      ['accepted', true],
    ] as const)
      expect(expiryNote(state, isGivenOut)).not.toMatch(/not sent/i);
    expect(expiryNote('sent', true, { said: 'The gateway says done, not for which units.' })).toMatch(
      /^The gateway says done, not for which units\. This unit .* not known/,
    );
  });
});

describe('why a valve is closed', () => {
  const unknown = 'What closed it is not known.';
  const before = (after: string, limit: number) =>
    `Reported closed ${after} after it opened, before its limit of ${limit} min. ${unknown}`;
  const off = (asked: string, isDone = false) => ({ askedAt: at(asked), isDone });
  const open = { openedAt: at('21:00:00'), closesBy: at('21:30:00'), off: null };
  const rows: [limit: number, reported: string, given: ReturnType<typeof off> | null, why: string][] = [
    [30, '21:29:00', null, 'Closed by its own limit of 30 min.'],
    [30, '21:28:59', null, before('29 min', 30)],
    [30, '21:31:00', null, 'Closed by its own limit of 30 min.'],
    [30, '21:31:01', null, 'Reported closed after its limit of 30 min had passed.'],
    // A tenth of the limit, from 10 s to a minute.
    [1, '21:00:00.400', null, before('0 s', 1)],
    [1, '21:00:49', null, before('49 s', 1)],
    [1, '21:00:50', null, 'Closed by its own limit of 1 min.'],
    [1, '21:01:11', null, 'Reported closed after its limit of 1 min had passed.'],
    [5, '21:04:29', null, before('4 min', 5)],
    [5, '21:04:30', null, 'Closed by its own limit of 5 min.'],
    [1440, '21:40:00', null, before('40 min', 1440)],
    // A Valve Off that was asked for before, or by a slow clock of the unit's just after.
    [30, '21:10:00', off('21:09:00'), 'Closed by a Valve Off command.'],
    [30, '21:10:00', off('21:11:00'), 'Closed by a Valve Off command.'],
    [30, '21:10:00', off('21:11:01'), before('10 min', 30)],
    [30, '21:30:00', off('21:30:30'), 'Closed by its own limit of 30 min.'],
    [30, '21:30:00', off('21:29:00', true), 'Closed by a Valve Off command.'],
    [
      30,
      '21:30:00',
      off('21:29:00'),
      'Closed by its own limit of 30 min, or by a Valve Off command: which of them is not known.',
    ],
  ];
  for (const [limit, reported, given, why] of rows)
    it(`limit ${limit} min, reported at ${reported}, ${given ? `Off asked for at ${given.askedAt.toISOString()}, done ${given.isDone}` : 'no Off'}: ${why}`, () => {
      const closesBy = new Date(open.openedAt.getTime() + limit * 60_000);
      expect(whyClosed({ ...open, closesBy, off: given }, at(reported))).toBe(why);
    });

  it('past its limit by more than a minute it should have closed', () => {
    expect(whyStillOpen(open.closesBy, at('21:31:00'))).toBe('');
    expect(whyStillOpen(open.closesBy, at('21:31:01'))).toMatch(/^It should have closed/);
  });
});

/** A set of schedules on its way. */
const sending = {
  uid: 'c1',
  type: commandTypes.SendScheduleSet,
  name: '',
  payload: { cycleLen: 2 },
  maxOpenMinutes: null,
  expiresAt: at('21:10:00'),
  lane: lanes.many,
};

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
      const bodies = scheduleMessages(sending, units(count), 7, { seq: 5, within: null }).map(
        ({ body }) => body as { part: number; parts: number; rev: number; units: unknown[] },
      );
      expect(bodies[0]).toMatchObject({ priority: 3, seq: 5, cycleLen: 2 });
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

describe('the order within a line', () => {
  const entries = (start: number, duration: number, cycle = 1) => [{ start, duration, cycle }];
  /** A line of six that water one after the other from `start` on. */
  const line = (duration: number, name = 'A', ids = [1, 2, 3, 4, 5, 6], start = 0) =>
    ids.map((deviceId, nth) => ({
      deviceId,
      gatewayId: 9,
      scheduleGroup: name,
      entries: entries((start + nth * duration) % 1440, duration),
    }));
  const before = (minutes: number) =>
    new Map([1, 2, 3, 4, 5, 6].map((id) => [id, { entries: entries((id - 1) * minutes, minutes) }]));
  const ids = (units: readonly { deviceId: number }[]) => units.map(({ deviceId }) => deviceId);

  /** Minutes at which two or more of these waterings run. */
  function doubled(all: readonly { entries: readonly { start: number; duration: number }[] }[]): number {
    const running = Array.from({ length: 1440 }, () => 0);
    for (const { entries: own } of all)
      for (const { start, duration } of own)
        for (let minute = start; minute < start + duration; minute += 1) running[minute]! += 1;
    return running.filter((count) => count > 1).length;
  }
  /** While the first half of what is sent is there. */
  const halfWay = (
    sent: readonly { deviceId: number; entries: ReturnType<typeof entries> }[],
    old: number,
  ) => {
    const held = new Map<number, { entries: ReturnType<typeof entries> }>(before(old));
    for (const unit of sent.slice(0, 3)) held.set(unit.deviceId, unit);
    return doubled([...held.values()]);
  };

  it.each([
    [28, 22, [1, 2, 3, 4, 5, 6], 18],
    [22, 28, [6, 5, 4, 3, 2, 1], 18],
  ])(
    'from %i to %i min is %j, half-way without a double minute; the other way round %i',
    (old, now, wanted, worse) => {
      const units = line(now);
      const sent = inLineOrder(units, before(old), 1) as typeof units;
      expect(ids(sent)).toEqual(wanted);
      expect([halfWay(sent, old), halfWay(sent.toReversed(), old)]).toEqual([0, worse]);
    },
  );

  it('of a line that goes on over midnight begins with its evening', () => {
    // 23:00, 23:28, 23:56, 00:24, 00:52, 01:20
    const units = line(28, 'A', [1, 2, 3, 4, 5, 6], 1380);
    const mixed = [3, 5, 0, 2, 1, 4].map((place) => units[place]!);
    expect(ids(inLineOrder(mixed, new Map(), 1))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('leaves each line its places, and who is to hold nothing where it is', () => {
    const cleared = { deviceId: 7, gatewayId: 9, scheduleGroup: '', entries: [] };
    const [a, b] = [line(28, 'A', [1, 2]), line(30, 'B', [3, 4])];
    const units = [b[1]!, a[1]!, cleared, a[0]!, b[0]!];
    expect(ids(inLineOrder(units, new Map(), 1))).toEqual([3, 1, 7, 2, 4]);
    expect(lineSamples(units)).toEqual([4, 3, 2, 1]);
  });
});
