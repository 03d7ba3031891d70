import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { busyTimes } from './busy-times.ts';
import { clockSeams } from './clock-seams.ts';
import { plannedFlow } from './planned-flow.ts';
import { type TurnUnit, turnsOf } from './turns.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (clock: string, day = '21') => Date.parse(`2026-11-${day}T${clock}:00+13:00`);
/** 05:12 to 05:40 of each day. */
const entries = [{ start: 312, duration: 28, cycle: 1 }];
const unit = (more: Partial<TurnUnit> = {}): TurnUnit => ({
  facts: {
    held: { entries },
    isOnItsWay: false,
    isInService: true,
    isInhibited: false,
    isStopWanted: false,
    isDayOut: false,
    holdUntil: null,
    heardAt: at('00:00'),
    clockS: null,
  },
  held: [{ from: at('00:00', '01'), until: null, entries, cycleDays: 1, stoppedAt: null }],
  wanted: null,
  runs: [],
  openings: [],
  ...more,
});
const run = (openedAt: string, closedAt: string | null, openUntil = openedAt): ReportedRun => ({
  unit: '1',
  openedAt: at(openedAt),
  openedHow: 'said',
  openUntil: at(openUntil),
  closedAt: closedAt === null ? null : at(closedAt),
  closedHow: closedAt === null ? null : 'said',
  lps: 4,
  mmPerMin: 0.17,
});
const summary = (one: TurnUnit, now: string) =>
  turnsOf(one, { zone, from: at('00:00'), to: at('00:00') + DAY, now: at(now) }).map(
    ({ sign, startAt, endAt, saidUntil, outcome }) =>
      `${sign} ${clock(startAt)}-${clock(endAt)}${saidUntil === null ? '' : ` known ${clock(saidUntil)}`}${outcome ? ` ${outcome}` : ''}`,
  );
const clock = (ms: number) => new Date(ms + 13 * 60 * MINUTE).toISOString().slice(11, 16);

describe('a turn', () => {
  it.each([
    ['05:11', [], 'will 05:12-05:40'],
    ['05:20', [], 'believed 05:12-05:40'],
    ['06:00', [], 'notHeard 05:12-05:40'],
    ['06:00', [run('05:14', '05:41')], 'said 05:14-05:41 known 05:41 watered'],
    ['06:00', [run('05:14', '05:30')], 'said 05:14-05:30 known 05:30 short'],
    // Under way: known until its last word, and believed until it is to close.
    ['05:30', [run('05:14', null, '05:25')], 'said 05:14-05:40 known 05:25 not known'],
    // The report of its closing was lost: the next one came at 11:00.
    ['12:00', [run('05:14', '11:00')], 'said 05:14-05:40 known 05:14 watered'],
  ] as const)('at %s is told from what was said and what was planned', (now, runs, text) => {
    expect(summary(unit({ runs }), now)).toEqual([text]);
  });

  it('that nothing asked for is unplanned; where it is not known what was held, that is said', () => {
    expect(summary(unit({ runs: [run('09:00', '09:10')] }), '12:00')).toEqual([
      'notHeard 05:12-05:40',
      'said 09:00-09:01 known 09:01 unplanned',
    ]);
    expect(summary(unit({ held: [], runs: [run('09:00', '09:10')] }), '12:00')).toEqual([
      'said 09:00-09:01 known 09:01 not known',
    ]);
  });

  it('by a Valve On lasts as long as that asked for', () => {
    const openings = [{ from: at('08:00'), to: at('08:30') }];
    expect(summary(unit({ runs: [run('08:00', null)], openings }), '08:10').at(-1)).toBe(
      'said 08:00-08:30 known 08:00 by hand',
    );
  });

  it('that is over when it was stopped before is known not to have been', () => {
    const held = [{ from: at('00:00', '01'), until: null, entries, cycleDays: 1, stoppedAt: at('04:00') }];
    expect(summary(unit({ held }), '06:00')).toEqual(['wont 05:12-05:40']);
  });

  it('that is ahead of a unit that was stopped says since when', () => {
    const stopped = unit({
      held: [{ from: at('00:00', '01'), until: null, entries, cycleDays: 1, stoppedAt: at('04:00', '01') }],
      facts: { ...unit().facts, isInhibited: true },
    });
    const turns = turnsOf(stopped, { zone, from: at('00:00'), to: at('00:00') + 2 * DAY, now: at('01:00') });
    expect(turns.map(({ sign, reasons }) => [sign, reasons])).toEqual([
      ['wont', [{ code: 'inhibited', at: at('04:00', '01') }]],
      ['wont', [{ code: 'inhibited', at: at('04:00', '01') }]],
    ]);
  });

  it('is one for each day, whenever one looks, and none is both planned and told', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2880 }), fc.integer({ min: -30, max: 30 }), (minute, late) => {
        const now = at('00:00') + minute * MINUTE;
        const openedAt = at('05:12') + late * MINUTE;
        const runs = openedAt < now ? [{ ...run('05:12', null), openedAt, openUntil: openedAt }] : [];
        const turns = turnsOf(unit({ runs }), { zone, from: at('00:00'), to: at('00:00') + 2 * DAY, now });
        expect(turns.filter(({ planned }) => planned !== null)).toHaveLength(2);
        for (const { startAt, endAt } of turns) expect(endAt).toBeGreaterThanOrEqual(startAt);
      }),
      { numRuns: 300 },
    );
  });
});

it('a line is busy from its first to its last sprinkler, by how much is known of each', () => {
  const turns = [0, 28, 56, 84].map((start, index) => ({
    startAt: at('05:00') + start * MINUTE,
    endAt: at('05:00') + (start + 28) * MINUTE,
    sign: index === 2 ? ('wont' as const) : ('will' as const),
  }));
  const times = (bridge: number) =>
    busyTimes(turns, bridge * MINUTE).map((time) => [
      time.sign,
      clock(time.startAt),
      clock(time.endAt),
      time.turns,
    ]);
  expect(times(0)).toEqual([
    ['will', '05:00', '05:56', 2],
    ['wont', '05:56', '06:24', 1],
    ['will', '06:24', '06:52', 1],
  ]);
  expect(times(30)).toEqual([
    ['will', '05:00', '06:52', 3],
    ['wont', '05:56', '06:24', 1],
  ]);
});

it('flow is the mean of each step', () => {
  const steps = { from: at('05:00'), steps: 4, stepMs: 15 * MINUTE };
  const watering = (from: string, to: string) => ({ startAt: at(from), endAt: at(to), lps: 4 });
  // 05:12 to 05:40: 3 of 15 min, 15, and 10.
  expect(plannedFlow([watering('05:12', '05:40')], steps)).toEqual([0.8, 4, 2.67, 0]);
  expect(plannedFlow([watering('04:00', '05:15'), watering('05:00', '06:30')], steps)).toEqual([8, 4, 4, 4]);
});

it('a clock change is found with the minutes that it goes from and to', () => {
  const found = (zoneId: string, raw: number, from: string) =>
    clockSeams(
      { timeZoneId: zoneId, rawOffset: raw, dstOffset: 0, dstEnabled: true },
      Date.parse(from),
      Date.parse(from) + 3 * DAY,
    );
  expect(found('Pacific/Auckland', 43_200, '2027-09-24T00:00:00Z')).toEqual([
    { at: Date.parse('2027-09-25T14:00:00Z'), fromMin: 120, toMin: 180 },
  ]);
  // Half an hour back, at 02:00.
  expect(found('Australia/Lord_Howe', 37_800, '2027-04-02T00:00:00Z')).toEqual([
    { at: Date.parse('2027-04-03T15:00:00Z'), fromMin: 120, toMin: 90 },
  ]);
  expect(found('Australia/Brisbane', 36_000, '2027-04-02T00:00:00Z')).toEqual([]);
});
