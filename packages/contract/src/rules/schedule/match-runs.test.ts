import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { askedEnd, matchRuns, type MatchContext } from './match-runs.ts';
import type { Occurrence } from './occurrences.ts';

const MINUTE = 60_000;
const at = (text: string) => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE;
const clock = (time: number) => new Date(time).toISOString().slice(11, 16);

const planned = (from: string, to: string): Occurrence => ({
  startAt: at(from),
  endAt: at(to),
  entry: { start: at(from) / MINUTE, duration: (at(to) - at(from)) / MINUTE, cycle: 1 },
  clock: 'plain',
});
const open = (from: string, to: string | null, more: Partial<ReportedRun> = {}): ReportedRun => ({
  unit: 'A1',
  openedAt: at(from),
  openedHow: 'said',
  openUntil: at(from),
  closedAt: to === null ? null : at(to),
  closedHow: to === null ? null : 'said',
  lps: 4,
  mmPerMin: 0.1724,
  ...more,
});
const context: MatchContext = { now: at('23:00'), clockS: null, saidClosed: [], logged: [], openings: [] };

/** Outcome, what was planned, what was said and why. */
const summary = (plan: Occurrence[], said: ReportedRun[], more: Partial<MatchContext> = {}) =>
  matchRuns(plan, said, { ...context, ...more }).map((match) =>
    [
      match.outcome,
      match.planned ? clock(match.planned.startAt) : '-',
      match.said ? clock(match.said.openedAt) : '-',
      ...match.reasons.map(({ code }) => code),
    ].join(' '),
  );

describe('E23: planned 05:12 to 05:40', () => {
  const plan = [planned('05:12', '05:40')];
  it.each([
    ['open 05:14, closed 05:41: 27 minutes', [open('05:14', '05:41')], {}, 'watered 05:12 05:14'],
    ['open 05:14, closed 05:30: 16 of 28', [open('05:14', '05:30')], {}, 'short 05:12 05:14'],
    [
      'nothing, closed at 05:20 and 05:31',
      [],
      { saidClosed: [at('05:20'), at('05:31')] },
      'missed 05:12 - saidClosed',
    ],
    [
      'nothing, closed at 05:20 and 05:29: too near each other',
      [],
      { saidClosed: [at('05:20'), at('05:29')] },
      'not known 05:12 - notHeard',
    ],
    ['nothing, closed at 05:20 alone', [], { saidClosed: [at('05:20')] }, 'not known 05:12 - notHeard'],
    ['nothing, closed at 05:39', [], { saidClosed: [at('05:39')] }, 'not known 05:12 - notHeard'],
    [
      'nothing, closed at 05:14 and 05:30: the first may be the clock',
      [],
      { saidClosed: [at('05:14'), at('05:30')] },
      'not known 05:12 - notHeard',
    ],
    ['nothing, last heard yesterday', [], {}, 'not known 05:12 - notHeard'],
    [
      'nothing, and its log of the night is there',
      [],
      { logged: [{ from: at('00:00'), to: at('06:00') }] },
      'missed 05:12 - notLogged',
    ],
    ['nothing yet, and it is still due', [], { now: at('05:30') }, 'not known 05:12 - notOver'],
    [
      'open, and it is not over',
      [open('05:14', null)],
      { now: at('05:30') },
      'not known 05:12 05:14 notOver',
    ],
  ] as const)('%s', (_, said, more, expected) => {
    expect(summary(plan, [...said], more)).toEqual([expected]);
  });
});

it('E25: it watered, and its end was not heard', () => {
  expect(summary([planned('05:12', '05:40')], [open('05:14', '11:00')])).toEqual([
    'watered 05:12 05:14 endNotHeard',
  ]);
});

describe('a run and a plan', () => {
  it.each([
    [
      'thirteen minutes apart may be a later word of it',
      [open('05:25', '05:53')],
      'watered 05:12 05:25 startNotHeard endNotHeard',
    ],
    ['fourteen minutes early too', [open('04:58', '05:26')], 'late 05:12 04:58 early'],
    ['twelve minutes more are long', [open('05:12', '05:53', { closedHow: 'logged' })], 'long 05:12 05:12'],
    [
      'that begin half an hour apart, and hardly overlap, are two things',
      [open('05:41', '06:09')],
      'not known 05:12 - notHeard,unplanned - 05:41',
    ],
    [
      'its first word may not be that of the moment',
      [open('05:27', '05:35')],
      'short 05:12 05:27 startNotHeard',
    ],
    ['and then it watered from its time on', [open('05:27', '05:40')], 'watered 05:12 05:27 startNotHeard'],
  ])('%s', (_, said, expected) => {
    expect(summary([planned('05:12', '05:40')], said).join()).toBe(expected);
  });

  it('that said closed after its time began late: short is said before that', () => {
    const saidClosed = [at('05:20')];
    expect(summary([planned('05:12', '05:40')], [open('05:25', '05:53')], { saidClosed })).toEqual([
      'late 05:12 05:25 late',
    ]);
    expect(summary([planned('05:12', '05:40')], [open('05:27', '05:35')], { saidClosed })).toEqual([
      'short 05:12 05:27 late',
    ]);
  });

  it('of a few minutes is not long because "closed" came three minutes late, nor short because "open" did', () => {
    expect(summary([planned('05:12', '05:20')], [open('05:12', '05:23')])).toEqual(['watered 05:12 05:12']);
    expect(summary([planned('05:12', '05:20')], [open('05:15', '05:20')])).toEqual(['watered 05:12 05:15']);
    expect(summary([planned('05:12', '05:20')], [open('05:12', '05:17')])).toEqual(['short 05:12 05:12']);
  });

  it('of a few minutes are one by their beginnings', () => {
    expect(summary([planned('05:12', '05:18')], [open('05:21', '05:27')])).toEqual([
      'watered 05:12 05:21 startNotHeard endNotHeard',
    ]);
    expect(summary([planned('05:12', '05:18')], [open('05:23', '05:29')])).toEqual([
      'not known 05:12 - notHeard',
      'unplanned - 05:23',
    ]);
  });

  it('are paired by the nearest beginning, also when a lost report stretches the run over the next', () => {
    expect(summary([planned('05:12', '05:40'), planned('09:00', '09:28')], [open('05:14', '11:00')])).toEqual(
      ['watered 05:12 05:14 endNotHeard', 'not known 09:00 - notHeard'],
    );
  });

  it('left over inside a Valve On is by hand, else unplanned', () => {
    const opening = { from: at('12:00'), to: at('13:00') };
    expect(summary([], [open('12:01', '13:00'), open('15:00', '15:20')], { openings: [opening] })).toEqual([
      'by hand - 12:01',
      'unplanned - 15:00',
    ]);
  });
});

describe('a run was to close', () => {
  const plan = [planned('05:12', '05:40'), planned('09:00', '09:28')];
  it.each([
    ['by the plan that it began with', open('05:14', '11:00'), '05:40'],
    ['its minutes after it began, when it began much later', open('05:20', '11:00'), '05:48'],
    ['by nothing, when it began half an hour from all', open('06:00', '06:20'), null],
    ['by nothing that only began while it was open', open('06:00', '11:00'), null],
  ])('%s', (_, run, expected) => {
    const end = askedEnd(plan, run, { now: at('23:00'), clockS: null });
    expect(end && clock(end)).toBe(expected);
  });
});

const DAY_MINUTES = 1440;
const plannedAt = ([start, duration]: readonly [number, number]): Occurrence => ({
  startAt: start * MINUTE,
  endAt: (start + duration) * MINUTE,
  entry: { start, duration, cycle: 1 },
  clock: 'plain',
});
const span = fc.tuple(fc.integer({ min: 0, max: DAY_MINUTES }), fc.integer({ min: 1, max: 90 }));
const plan = fc.array(span.map(plannedAt), { maxLength: 8 });
/** As they are stored: no two of a unit open at one moment. */
const runs = fc.uniqueArray(span, { maxLength: 8, selector: ([start]) => start }).map((spans) =>
  spans.map(([start, minutes]): ReportedRun => {
    const openedAt = start * MINUTE;
    const isClosed = minutes % 4 > 0;
    const end = isClosed ? { closedAt: openedAt + minutes * MINUTE, closedHow: 'said' as const } : {};
    return { ...open('00:00', null), openedAt, openUntil: openedAt, ...end };
  }),
);
const later = { ...context, now: 2 * DAY_MINUTES * MINUTE };

describe('invariant 13', () => {
  it('every occurrence and every run is in exactly one match, in order of time', () => {
    fc.assert(
      fc.property(plan, runs, (occurrences, said) => {
        const matches = matchRuns(occurrences, said, later);
        const both = matches.flatMap((match) => [match.planned, match.said]).filter((one) => one !== null);
        expect(both).toHaveLength(occurrences.length + said.length);
        expect(new Set(both)).toEqual(new Set([...occurrences, ...said]));
        const times = matches.map((match) => match.planned?.startAt ?? match.said?.openedAt ?? 0);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  it('what was done as planned has watered', () => {
    fc.assert(
      fc.property(plan, (occurrences) => {
        const said = occurrences.map(
          ({ startAt, endAt }): ReportedRun => ({
            ...open('00:00', null),
            openedAt: startAt,
            openUntil: startAt,
            closedAt: endAt,
            closedHow: 'said',
          }),
        );
        for (const match of matchRuns(occurrences, said, later)) expect(match.outcome).toBe('watered');
      }),
      { numRuns: 1000 },
    );
  });

  it('the order in which they come changes nothing', () => {
    fc.assert(
      fc.property(plan, runs, (occurrences, said) => {
        expect(matchRuns(occurrences.toReversed(), said.toReversed(), later)).toEqual(
          matchRuns(occurrences, said, later),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
