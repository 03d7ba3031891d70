import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beliefSteadyUntil,
  beliefStates,
  graceMs,
  isTakenAsOpen,
  valveBelief,
  type ValveFacts,
} from './valve-belief.ts';

/** Minutes after midnight as a time: 312 is 05:12. */
const at = (minutes: number) => minutes * 60_000;
/** "05:12" or "+1 05:12", a day later, as a time. */
function clock(text: string): number {
  const [, day = '0', hours = '', minutes = ''] = /^(?:\+(\d+) )?(\d+):(\d+)$/.exec(text) ?? [];
  return at(Number(day) * 1440 + Number(hours) * 60 + Number(minutes));
}
const open = (first: string, last = first) => ({ isOpen: true, at: clock(last), since: clock(first) });
const closed = (when: string) => ({ isOpen: false, at: clock(when), since: clock(when) });
const opening = (from: string, to: string) => ({ openedAt: clock(from), closesBy: clock(to) });

/** 05:12 to 05:40. */
const run = { startAt: clock('05:12'), endAt: clock('05:40') };
const later = { startAt: clock('09:00'), endAt: clock('10:00') };
const evening = { startAt: clock('18:12'), endAt: clock('18:40') };
const none: ValveFacts = {
  said: null,
  heardAt: clock('05:00'),
  clockS: null,
  run: null,
  firstReportRun: null,
  lastReportRun: null,
  opening: null,
  unansweredUntil: null,
  unansweredClosesBy: null,
  offAt: null,
  held: 'unknown',
  isInhibited: false,
};

type Row = [what: string, facts: Partial<ValveFacts>, now: string, expected: string];
/** State, end, basis and cause. */
function summary(facts: Partial<ValveFacts>, now: string): string {
  const { state, until, basis, cause } = valveBelief({ ...none, ...facts }, clock(now));
  const end = until === null ? '-' : new Date(until).toISOString().slice(11, 16);
  return `${state} ${end} ${basis} ${cause}`;
}

describe('a valve that its unit said to be open', () => {
  const waters = { said: open('05:12'), firstReportRun: run, run };
  const rows: Row[] = [
    ['in its run', waters, '05:20', 'open 05:40 said schedule'],
    ['until its end and five minutes', waters, '05:45', 'open 05:40 said schedule'],
    ['is overdue then', waters, '05:46', 'openOverdue 05:40 said schedule'],
    ['for ever', waters, '+9 05:46', 'openOverdue 05:40 said schedule'],
    ['longer by a clock that is off', { ...waters, clockS: -120 }, '05:47', 'open 05:40 said schedule'],
    ['half an hour at most', { ...waters, clockS: 86_400 }, '06:10', 'open 05:40 said schedule'],
    ['and no longer', { ...waters, clockS: 86_400 }, '06:11', 'openOverdue 05:40 said schedule'],
    [
      'again and again',
      { ...waters, said: open('05:12', '08:00') },
      '08:01',
      'openOverdue 05:40 said schedule',
    ],
    [
      'in a later run, after a closing that was not heard',
      { said: open('05:12', '09:04'), firstReportRun: run, lastReportRun: later, run: later },
      '10:05',
      'open 10:00 said schedule',
    ],
    [
      'and is overdue after that',
      { said: open('05:12', '09:04'), firstReportRun: run, lastReportRun: later, run: later },
      '10:06',
      'openOverdue 10:00 said schedule',
    ],
    [
      'and is so since the end of the run of its last word, also when the next is under way',
      { said: open('05:12', '09:04'), firstReportRun: run, lastReportRun: later, run: evening },
      '18:20',
      'openOverdue 10:00 said schedule',
    ],
    [
      'in no later run unless it says so in it',
      { said: open('05:12', '08:54'), firstReportRun: run, run: later },
      '09:30',
      'openOverdue 05:40 said schedule',
    ],
    [
      'by nothing known, and then in a run',
      { said: open('04:00', '05:20'), lastReportRun: run, run },
      '05:30',
      'open 05:40 said schedule',
    ],
    [
      'by a Valve On',
      { said: open('12:00'), opening: opening('12:00', '13:00') },
      '13:05',
      'open 13:00 said command',
    ],
    [
      'by a Valve On, past its limit',
      { said: open('12:00'), opening: opening('12:00', '13:00') },
      '13:06',
      'openOverdue 13:00 said command',
    ],
    [
      'by a Valve On that runs into a run',
      { said: open('05:00'), opening: opening('05:00', '05:20'), run },
      '05:30',
      'open 05:40 said schedule',
    ],
    [
      'by a Valve On that goes on after the run',
      { ...waters, opening: opening('05:30', '06:30') },
      '06:00',
      'open 06:30 said command',
    ],
    [
      'longer where another Valve On went out that was never answered',
      {
        said: open('12:00', '13:10'),
        opening: opening('12:00', '13:00'),
        unansweredUntil: clock('13:00'),
        unansweredClosesBy: clock('15:00'),
      },
      '13:20',
      'open 15:00 said command',
    ],
    [
      'and not longer than that one lets it',
      {
        said: open('12:00', '13:10'),
        opening: opening('12:00', '13:00'),
        unansweredUntil: clock('13:00'),
        unansweredClosesBy: clock('15:00'),
      },
      '15:06',
      'openOverdue 15:00 said command',
    ],
    [
      'by a Valve On that was never answered',
      { said: open('12:05'), unansweredUntil: clock('12:10'), unansweredClosesBy: clock('13:10') },
      '12:30',
      'open 13:10 said command',
    ],
    [
      'though an earlier Valve On was never answered: it was closed after that',
      {
        said: open('14:00'),
        offAt: clock('12:30'),
        unansweredUntil: clock('12:10'),
        unansweredClosesBy: clock('13:10'),
      },
      '14:01',
      'open - said unknown',
    ],
    [
      'after a Valve On that was ended',
      { said: open('14:00'), offAt: clock('12:30'), opening: opening('12:00', '13:00') },
      '14:01',
      'open - said unknown',
    ],
    ['with nothing that asks for it', { said: open('14:00') }, '+3 14:00', 'open - said unknown'],
    ['by a programme of another', { said: open('14:00'), held: 'foreign' }, '14:01', 'open - said foreign'],
    ['by what is known not to', { said: open('14:00'), held: 'wanted' }, '14:01', 'open - said none'],
    ['though it is inhibited', { ...waters, isInhibited: true }, '05:20', 'open 05:40 said schedule'],
    ['until it says closed', { ...waters, said: closed('05:30') }, '05:31', 'closed - said none'],
    [
      'until a Valve Off was carried out',
      { ...waters, offAt: clock('05:30') },
      '05:31',
      'closed - answered none',
    ],
    [
      'and again after the Valve Off',
      { ...waters, said: open('05:33'), offAt: clock('05:30') },
      '05:34',
      'open 05:40 said schedule',
    ],
  ];
  it.each(rows)('%s', (_what, facts, now, expected) => expect(summary(facts, now)).toBe(expected));
});

describe('a valve that a command opened, without a report of it', () => {
  const answered = { said: closed('11:00'), opening: opening('12:00', '13:00') };
  const rows: Row[] = [
    ['is open by its answer', answered, '12:30', 'open 13:00 answered command'],
    ['is overdue past its limit', answered, '13:06', 'openOverdue 13:00 answered command'],
    [
      'is open by the answer and not by a report from before a Valve Off, nor by the run that this ended',
      {
        said: open('05:12'),
        firstReportRun: run,
        run,
        offAt: clock('05:20'),
        opening: opening('05:25', '05:30'),
      },
      '05:31',
      'open 05:30 answered command',
    ],
    ['is closed when it says so', { ...answered, said: closed('12:59') }, '13:06', 'closed - said none'],
    [
      'may have been opened by one that was never answered',
      { said: closed('11:00'), unansweredUntil: clock('12:10') },
      '12:01',
      'unknown - said none',
    ],
    [
      'is closed when it says so after the last moment of that one',
      { said: closed('12:11'), unansweredUntil: clock('12:10') },
      '12:12',
      'closed - said none',
    ],
  ];
  it.each(rows)('%s', (_what, facts, now, expected) => expect(summary(facts, now)).toBe(expected));
});

describe('a valve that nobody said to be open', () => {
  const before = { said: closed('04:00'), run };
  const rows: Row[] = [
    ['may be while its run is under way', before, '05:12', 'mayBeOpen 05:40 planned schedule'],
    ['also when it never says anything of its valve', { run }, '05:20', 'mayBeOpen 05:40 planned schedule'],
    ['is not known after it: its radio may have died', before, '06:00', 'unknown - said none'],
    [
      'is not known either when it never says anything of it',
      { run, heardAt: clock('05:20') },
      '06:00',
      'unknown - none none',
    ],
    [
      'is closed when it says so in its run',
      { ...before, said: closed('05:20') },
      '05:21',
      'closed - said none',
    ],
    [
      'is closed when it says so after it',
      { ...before, said: closed('05:41') },
      '06:00',
      'closed - said none',
    ],
    [
      'may be by a slow clock, just after it said closed',
      { ...before, said: closed('05:13'), clockS: -120 },
      '05:15',
      'mayBeOpen 05:40 planned schedule',
    ],
    [
      'may be by a fast clock while its run is under way, though it said closed before that',
      { ...before, said: closed('05:01'), clockS: 600 },
      '05:15',
      'mayBeOpen 05:40 planned schedule',
    ],
    [
      'is closed by a fast clock when it says so in its run: no run begins later than planned',
      { ...before, said: closed('05:18'), clockS: 600 },
      '05:20',
      'closed - said none',
    ],
    [
      'is closed in its time where its run was over before it by a fast clock',
      {
        said: closed('05:07'),
        run: { startAt: clock('05:12'), endAt: clock('05:17') },
        clockS: 600,
      },
      '05:14',
      'closed - said none',
    ],
    [
      'and after it',
      {
        said: closed('05:07'),
        run: { startAt: clock('05:12'), endAt: clock('05:17') },
        clockS: 600,
      },
      '08:00',
      'closed - said none',
    ],
    [
      'is not opened by a run of an inhibited unit',
      { ...before, isInhibited: true },
      '05:20',
      'closed - said none',
    ],
    ['is not known when it is not heard for a day', before, '+1 05:20', 'unknown - said none'],
    [
      'nor is it in a run then',
      { said: closed('04:00'), run: { startAt: clock('+1 05:12'), endAt: clock('+1 05:40') } },
      '+1 05:20',
      'unknown - said none',
    ],
    [
      'is closed as it said, however long ago, while nothing asks for it',
      { said: closed('04:00') },
      '+40 00:00',
      'closed - said none',
    ],
    ['is closed while it is heard and nothing asks for it', {}, '06:00', 'closed - none none'],
    ['is not known when it was never heard', { heardAt: null }, '06:00', 'unknown - none none'],
    ['is not known in its run either then', { heardAt: null, run }, '05:20', 'unknown - none none'],
  ];
  it.each(rows)('%s', (_what, facts, now, expected) => expect(summary(facts, now)).toBe(expected));
});

it('says since when: of an open valve its first report, of one that is overdue its last', () => {
  const facts = { ...none, said: open('05:12', '05:30'), firstReportRun: run, run };
  expect(valveBelief(facts, clock('05:35')).since).toBe(clock('05:12'));
  expect(valveBelief(facts, clock('09:00')).since).toBe(clock('05:30'));
});

describe('whatever is known', () => {
  const time = fc.integer({ min: 0, max: 3 * 1440 }).map(at);
  const span = fc.tuple(time, fc.integer({ min: 1, max: 600 }));
  const runs = fc.option(span.map(([startAt, minutes]) => ({ startAt, endAt: startAt + at(minutes) })));
  const anything: fc.Arbitrary<ValveFacts> = fc.record({
    said: fc.option(
      fc.tuple(fc.boolean(), time, fc.nat({ max: 600 })).map(([isOpen, when, minutes]) => ({
        isOpen,
        at: when,
        since: isOpen ? when - at(minutes) : when,
      })),
    ),
    heardAt: fc.option(time),
    clockS: fc.option(fc.integer({ min: -90_000, max: 90_000 })),
    run: runs,
    firstReportRun: runs,
    lastReportRun: runs,
    opening: fc.option(span.map(([openedAt, minutes]) => ({ openedAt, closesBy: openedAt + at(minutes) }))),
    unansweredUntil: fc.option(time),
    unansweredClosesBy: fc.option(time),
    offAt: fc.option(time),
    held: fc.constantFrom('wanted', 'older', 'foreign', 'nothing', 'unknown'),
    isInhibited: fc.boolean(),
  });
  /** Nothing is known of what hasn't happened yet. */
  const isPast = ({ said, heardAt, opening: on, offAt, run: last }: ValveFacts, now: number) =>
    [said?.at, heardAt, on?.openedAt, offAt, last?.startAt].every((when) => (when ?? 0) <= now);
  const later = fc.tuple(fc.nat({ max: 3 * 1440 }), fc.nat({ max: 3 * 1440 })).map(([from, more]) => {
    const start = at(3 * 1440 + from);
    return [start, start + at(more)] as const;
  });

  it('a plan alone opens no valve', () => {
    fc.assert(
      fc.property(anything, time, (facts, now) => {
        const { state } = valveBelief({ ...facts, said: null, opening: null }, now);
        expect(['open', 'openOverdue']).not.toContain(state);
      }),
    );
  });

  it('time closes none: open becomes overdue and stays so, and what may be open or is not known never becomes closed', () => {
    const order = (state: (typeof beliefStates)[number]) => ['open', 'openOverdue'].indexOf(state);
    fc.assert(
      fc.property(anything, later, (facts, [now, then]) => {
        fc.pre(isPast(facts, now));
        const [before, after] = [valveBelief(facts, now).state, valveBelief(facts, then).state];
        if (before === 'closed') expect(['closed', 'unknown']).toContain(after);
        else expect(after).not.toBe('closed');
        if (order(before) >= 0) expect(order(after)).toBeGreaterThanOrEqual(order(before));
      }),
    );
  });

  it('a report of closed closes, as the newest word of all and with no start that can come after it', () => {
    fc.assert(
      fc.property(anything, later, (facts, [now]) => {
        fc.pre(isPast(facts, now));
        const said = { isOpen: false, at: now, since: now };
        const begun = Math.max(facts.run?.startAt ?? 0, 0) + graceMs(facts.clockS);
        fc.pre(begun <= now && (facts.unansweredUntil ?? 0) <= now && (facts.opening?.openedAt ?? 0) < now);
        expect(valveBelief({ ...facts, said, heardAt: now }, now).state).toBe('closed');
      }),
    );
  });

  it('the order in which it became known is nothing: each word counts by its time', () => {
    const report = fc.record({
      kind: fc.constantFrom('open', 'closed', 'on', 'off'),
      when: time,
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (reports, places) => {
        const fold = (heard: typeof reports): ValveFacts => {
          const reports = heard.filter(({ kind }) => kind === 'open' || kind === 'closed');
          const newest = reports.reduce<(typeof reports)[number] | null>(
            (last, one) =>
              !last || one.when > last.when || (one.when === last.when && one.kind === 'open') ? one : last,
            null,
          );
          const timeOf = (kind: string) =>
            Math.max(...heard.filter((one) => one.kind === kind).map(({ when }) => when), -1);
          const [on, off] = [timeOf('on'), timeOf('off')];
          return {
            ...none,
            said: newest && { isOpen: newest.kind === 'open', at: newest.when, since: newest.when },
            opening: on < 0 ? null : { openedAt: on, closesBy: on + at(60) },
            offAt: off < 0 ? null : off,
          };
        };
        const mixed = reports
          .map((one) => ({ one, place: places.next().value as number }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ one }) => one);
        const now = at(4 * 1440);
        expect(valveBelief(fold(mixed), now)).toEqual(valveBelief(fold(reports), now));
      }),
    );
  });

  it('is the same until the moment that is said', () => {
    fc.assert(
      fc.property(anything, later, (facts, [now]) => {
        const until = beliefSteadyUntil(facts, now);
        const last = Math.min(until - 1, now + at(30 * 1440));
        expect(until).toBeGreaterThan(now);
        expect(valveBelief(facts, last)).toEqual(valveBelief(facts, now));
      }),
    );
  });

  it('counts as watering when it is open, may be or should be closed by now', () => {
    expect(beliefStates.filter((state) => isTakenAsOpen({ state }))).toEqual([
      'open',
      'mayBeOpen',
      'openOverdue',
    ]);
  });
});
