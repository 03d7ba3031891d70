import { describe, expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { type DiaryFacts, diaryReasons, isKept } from './diary-reasons.ts';
import { type DiaryEntry, type PlanSpan, unitDiary, type UnitPast } from './unit-diary.ts';

const MINUTE = 60_000;
/** A farm without summer time at UTC, so that times are as they read. */
const zone = { timeZoneId: 'UTC', rawOffset: 0, dstOffset: 0, dstEnabled: false };
const NIGHT = Date.UTC(2026, 10, 20);
const at = (text: string) => NIGHT + (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE;
const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
const DAY = { from: NIGHT, to: NIGHT + 1440 * MINUTE };
const NOW = at('23:00');

/** 05:12 to 05:40 each day. */
const plan: PlanSpan = {
  since: NIGHT - 10 * 1440 * MINUTE,
  until: null,
  crc: 'AA:AA',
  programme: { entries: [{ start: 312, duration: 28, cycle: 1 }], cycleDays: 1 },
  stoppedAt: null,
  holds: 'this',
  holdsSince: null,
};
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
const past = (more: Partial<UnitPast> = {}): UnitPast => ({
  spans: [plan],
  runs: [],
  clockS: null,
  saidClosed: [],
  logged: [],
  openings: [],
  ...more,
});
const diary = (more: Partial<UnitPast> = {}, now = NOW) => unitDiary(past(more), zone, DAY, now);
const summary = (entries: readonly DiaryEntry[]) =>
  entries.map(({ outcome, planned, said, basis, applied }) =>
    [
      outcome,
      planned ? clock(planned.startAt) : '-',
      said ? clock(said.openedAt) : '-',
      basis,
      applied ? applied.minutes.believed : '?',
    ].join(' '),
  );

describe('the diary of a sprinkler', () => {
  it.each<[string, Partial<UnitPast>, string[]]>([
    ['open 05:14, closed 05:41', { runs: [open('05:14', '05:41')] }, ['watered 05:12 05:14 said 27']],
    ['open 05:14, closed 05:30', { runs: [open('05:14', '05:30')] }, ['short 05:12 05:14 said 16']],
    ['nothing heard', {}, ['not known 05:12 - plan ?']],
    ['closed said twice in it', { saidClosed: [at('05:20'), at('05:31')] }, ['missed 05:12 - said 0']],
    [
      // Planned end 05:40: 26 min are believed.
      'open 05:14, next word closed at 11:00',
      { runs: [open('05:14', '11:00')] },
      ['watered 05:12 05:14 believed 26'],
    ],
    [
      'a Valve On besides',
      {
        runs: [open('05:14', '05:41'), open('08:00', '08:30')],
        openings: [{ from: at('08:00'), to: at('08:30') }],
      },
      ['watered 05:12 05:14 said 27', 'by hand - 08:00 said 30'],
    ],
    [
      'a run that nobody asked for: it closed after the last word that says open and before the first that says closed',
      { spans: [], runs: [open('08:00', '09:00', { openUntil: at('08:20') })] },
      ['unplanned - 08:00 believed 20'],
    ],
  ])('%s', (_, more, entries) => {
    expect(summary(diary(more))).toEqual(entries);
  });

  it('of a sprinkler none of whose closings was heard knows the first night and the last, and not what lay between', () => {
    const [before, after] = [-1440 * MINUTE, 1440 * MINUTE];
    const run = open('05:14', null, { openedAt: at('05:14') + before, openUntil: at('05:14') + after });
    const night = (by: number) =>
      summary(unitDiary(past({ runs: [run] }), zone, { from: DAY.from + by, to: DAY.to + by }, NOW + after));
    expect([night(before), night(0), night(after)]).toEqual([
      ['watered 05:12 05:14 believed 26'],
      ['not known 05:12 - plan ?'],
      ['watered 05:12 05:14 believed 26'],
    ]);
  });

  it('has nothing of what is still to begin, and what is under way as not over', () => {
    expect(summary(diary({}, at('05:00')))).toEqual([]);
    const [entry] = diary({ runs: [open('05:12', null)] }, at('05:20'));
    expect(entry).toMatchObject({ outcome: 'not known', reasons: [{ code: 'notOver' }] });
  });

  it('has missed what it was to water since it said that it was inhibited, and a Valve On then is by hand', () => {
    const spans = [{ ...plan, stoppedAt: at('05:00') }];
    expect(summary(diary({ spans }))).toEqual(['missed 05:12 - said 0']);
    const openings = [{ from: at('05:12'), to: at('05:40') }];
    const runs = [open('05:12', '05:40')];
    expect(summary(diary({ spans, openings, runs }))).toEqual([
      'missed 05:12 - said 0',
      'by hand - 05:12 said 28',
    ]);
    // Nobody opened it by hand: it was not inhibited any more.
    expect(summary(diary({ spans, runs }))).toEqual(['watered 05:12 05:12 said 28']);
    // Inhibited while it watered.
    const during = [{ ...plan, stoppedAt: at('05:20') }];
    expect(summary(diary({ spans: during, runs: [open('05:12', '05:20')] }))).toEqual([
      'short 05:12 05:12 said 8',
    ]);
  });

  it('goes by what it held at the time', () => {
    const later = {
      ...plan,
      since: at('04:00'),
      programme: { ...plan.programme, entries: [{ start: 360, duration: 10, cycle: 1 }] },
    };
    const spans = [{ ...plan, until: at('04:00') }, later];
    expect(summary(diary({ spans, runs: [open('06:00', '06:10')] }))).toEqual([
      'watered 06:00 06:00 said 10',
    ]);
  });

  it('tells a day the same whichever days are asked for with it', () => {
    const runs = [-2, -1, 0].map((day) =>
      open('05:12', '05:40', {
        openedAt: at('05:12') + day * 1440 * MINUTE,
        openUntil: at('05:12') + day * 1440 * MINUTE,
        // Its first closing was lost: it was heard the next afternoon.
        closedAt: day === -2 ? at('02:00') - 1440 * MINUTE : at('05:40') + day * 1440 * MINUTE,
      }),
    );
    const week = unitDiary(past({ runs }), zone, { from: NIGHT - 6 * 1440 * MINUTE, to: DAY.to }, NOW);
    expect(summary(week.slice(-1))).toEqual(summary(diary({ runs })));
    expect(summary(week.slice(-3))).toEqual([
      'watered 05:12 05:12 believed 28',
      'watered 05:12 05:12 said 28',
      'watered 05:12 05:12 said 28',
    ]);
  });
});

describe('why not', () => {
  const facts: DiaryFacts = {
    outOfService: [],
    orders: [],
    sends: [{ at: plan.since, crc: 'AA:AA' }],
    foreign: [],
    clock: null,
    charge: null,
    heardBefore: null,
    swaps: [],
  };
  const why = (entries: readonly DiaryEntry[], more: Partial<DiaryFacts> = {}) => {
    const [entry] = entries;
    if (!entry) throw new Error('no entry');
    return diaryReasons(entry, { ...facts, ...more }).map(({ code, at: when, by }) =>
      [code, when === null ? '-' : clock(when), by].filter(Boolean).join(' '),
    );
  };
  const missed = diary({ saidClosed: [at('05:20'), at('05:31')] });
  const unknown = diary();
  const short = diary({ runs: [open('05:14', '05:30')] });

  it.each<[string, readonly DiaryEntry[], Partial<DiaryFacts>, string[]]>([
    ['nothing known', missed, {}, ['saidClosed 05:31']],
    [
      'out of service',
      missed,
      { outOfService: [{ from: at('01:00'), to: null }] },
      ['outOfService 01:00', 'saidClosed 05:31'],
    ],
    [
      'back in service before',
      missed,
      { outOfService: [{ from: at('01:00'), to: at('02:00') }] },
      ['saidClosed 05:31'],
    ],
    [
      'inhibited by somebody',
      missed,
      { orders: [{ kind: 'inhibit', at: at('04:00'), by: 'Ann' }] },
      ['inhibited 04:00 Ann', 'saidClosed 05:31'],
    ],
    [
      'inhibited and uninhibited before',
      missed,
      {
        orders: [
          { kind: 'inhibit', at: at('03:00'), by: 'Ann' },
          { kind: 'uninhibit', at: at('04:00'), by: 'Ann' },
        ],
      },
      ['saidClosed 05:31'],
    ],
    [
      'its own word that it is inhibited',
      diary({ spans: [{ ...plan, stoppedAt: at('05:00') }] }),
      {},
      ['inhibited 05:00'],
    ],
    [
      'it waters by an older schedule',
      short,
      { sends: [{ at: at('02:00'), crc: 'BB:BB' }] },
      ['olderSchedule 02:00'],
    ],
    [
      'a Valve Off',
      short,
      { orders: [{ kind: 'valveOff', at: at('05:30'), by: 'Bob' }] },
      ['valveOff 05:30 Bob'],
    ],
    ['its clock', short, { clock: { s: -300, at: at('05:00') } }, ['clock 05:00']],
    ['a clock that is nearly right explains nothing', short, { clock: { s: 40, at: at('05:00') } }, []],
    ['not heard, and since when', unknown, { heardBefore: at('03:00') }, ['notHeard 03:00']],
    [
      'a low battery',
      missed,
      { charge: { percent: 9, at: at('03:00') } },
      ['battery 03:00', 'saidClosed 05:31'],
    ],
    ['another unit took its place', unknown, { swaps: [at('05:20')] }, ['notHeard -', 'replaced 05:20']],
    [
      'a schedule that nobody knows',
      diary({ spans: [], runs: [open('08:00', '08:30')] }),
      { foreign: [{ from: at('01:00'), to: null }] },
      ['foreign 01:00'],
    ],
    [
      'it holds nothing of what was sent',
      diary({ spans: [{ ...plan, holds: 'nothing', holdsSince: at('01:00') }] }),
      {},
      ['holdsNothing 01:00', 'notHeard -'],
    ],
    [
      'watered: nothing to explain',
      diary({ runs: [open('05:12', '05:40')] }),
      { clock: { s: 400, at: at('05:00') } },
      [],
    ],
  ])('%s', (_, entries, more, reasons) => {
    expect(why(entries, more)).toEqual(reasons);
  });

  it('who was inhibited was kept from it; who was only asked to be and was not heard is not known', () => {
    const order = { orders: [{ kind: 'inhibit' as const, at: at('04:00'), by: 'Ann' }] };
    const kept = (entries: readonly DiaryEntry[]) =>
      entries.map((entry) => isKept(entry, diaryReasons(entry, { ...facts, ...order })));
    expect(kept(missed)).toEqual([true]);
    expect(kept(unknown)).toEqual([false]);
    expect(kept(short)).toEqual([false]);
  });
});
