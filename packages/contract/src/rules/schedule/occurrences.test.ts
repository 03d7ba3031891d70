import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '../../farms.ts';
import { farmOffsetSeconds } from '../farm-time.ts';
import { cycleDayOf, farmDayOf, isDayOut } from './cycle-day.ts';
import { nextOccurrences, type Occurrence, occurrences } from './occurrences.ts';
import { programmeOf } from './programme.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const zone = (timeZoneId: string, hours: number, dstEnabled = true): Timezone => ({
  timeZoneId,
  rawOffset: hours * 3600,
  dstOffset: 3600,
  dstEnabled,
});
const zones = {
  'New Zealand': zone('Pacific/Auckland', 12),
  Chatham: zone('Pacific/Chatham', 12.75),
  Sydney: zone('Australia/Sydney', 10),
  'Lord Howe': zone('Australia/Lord_Howe', 10.5),
  Adelaide: zone('Australia/Adelaide', 9.5),
  Brisbane: zone('Australia/Brisbane', 10),
  'standard time all year': zone('Pacific/Auckland', 12, false),
};
const auckland = zones['New Zealand'];

const clock = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const iso = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z');
const daily = (start: number, duration = 28) => programmeOf([{ start, duration }], 1440);
/** Of the farm's day that holds noon UTC of the day before, which is that day's in NZ and AU. */
function onDay(
  where: Timezone,
  programme: ReturnType<typeof programmeOf>,
  date: string,
): readonly Occurrence[] {
  const midnight = Date.parse(`${date}T00:00Z`);
  return occurrences(programme, where, midnight - DAY, midnight + DAY).filter(
    ({ startAt }) => farmDayOf(where, startAt) === midnight / DAY,
  );
}

describe('E13: one line of 51 × 28 daily in New Zealand', () => {
  const runs = (date: string) =>
    Array.from({ length: 51 }, (_, index) => onDay(auckland, daily(index * 28), date))
      .flat()
      .map(({ startAt, endAt }) => ({ startAt, endAt }));
  /** Sprinklers open in each minute from `from`. */
  const openFrom = (date: string, from: string, minutes: number) =>
    Array.from({ length: minutes }, (_, index) => {
      const at = Date.parse(from) + index * MINUTE;
      return runs(date).filter(({ startAt, endAt }) => startAt <= at && at < endAt).length;
    });
  const water = (date: string) =>
    runs(date).reduce((sum, { startAt, endAt }) => sum + (endAt - startAt) / MINUTE, 0);

  it('begins those of the skipped hour at the change, beside the one under way and the next', () => {
    // 01:52 (13:52Z) runs; 02:20 and 02:48 begin at 14:00Z, 03:16 (14:16Z) as planned, 03:44 (14:44Z) after it.
    expect(openFrom('2027-09-26', '2027-09-25T13:59Z', 47)).toEqual([
      1,
      ...Array<number>(16).fill(3),
      ...Array<number>(4).fill(4),
      ...Array<number>(8).fill(3),
      ...Array<number>(18).fill(1),
    ]);
    expect(water('2027-09-26')).toBe(1428);
  });

  it('rests for an hour when the clock goes back', () => {
    // 02:48 ends at 14:16Z; 03:16 is 15:16Z.
    expect(openFrom('2027-04-04', '2027-04-03T14:15Z', 62)).toEqual([1, ...Array<number>(60).fill(0), 1]);
    expect(water('2027-04-04')).toBe(1428);
  });
});

describe('a farm whose clock a person set back at 02:40 on 21 November, to 01:40', () => {
  const at = Date.parse('2026-11-20T13:40Z');
  const where = { ...zones['standard time all year'], before: [{ ...auckland, until: at }] };
  const starts = (start: string, date: string) =>
    onDay(where, daily(clock(start)), date).map(({ startAt }) => iso(startAt));

  it.each([
    ['one that runs then began by the clock of then', '02:30', '2026-11-21', '2026-11-20T13:30Z'],
    ['one whose time of day comes twice begins the first time', '01:50', '2026-11-21', '2026-11-20T12:50Z'],
    ['one later that day goes by the new one', '03:00', '2026-11-21', '2026-11-20T15:00Z'],
    ['one of the day before stays where it was', '02:30', '2026-11-20', '2026-11-19T13:30Z'],
    ['one of the day after goes by the new one', '02:30', '2026-11-22', '2026-11-21T14:30Z'],
  ])('%s', (_what, start, date, expected) => {
    expect(starts(start, date)).toEqual([expected]);
  });

  it('and forward again five minutes later waters as if nobody had', () => {
    const back = {
      ...auckland,
      before: [...where.before, { ...zones['standard time all year'], until: at + 5 * MINUTE }],
    };
    const found = occurrences(daily(clock('02:30')), back, at - DAY, at + 2 * DAY);
    expect(found.map(({ startAt }) => iso(startAt))).toEqual([
      '2026-11-20T13:30Z',
      '2026-11-21T13:30Z',
      '2026-11-22T13:30Z',
    ]);
  });
});

describe('E14: starts on the days of 2027 on which clocks change', () => {
  it.each([
    ['New Zealand', '02:30', '2027-04-04', '2027-04-03T13:30Z', 'doubled'],
    ['New Zealand', '02:30', '2027-09-26', '2027-09-25T14:00Z', 'skipped'],
    ['New Zealand', '01:45', '2027-09-26', '2027-09-25T13:45Z', 'across'],
    ['New Zealand', '03:00', '2027-09-26', '2027-09-25T14:00Z', 'plain'],
    ['Sydney', '02:10', '2027-04-04', '2027-04-03T15:10Z', 'doubled'],
    ['Sydney', '02:10', '2027-10-03', '2027-10-02T16:00Z', 'skipped'],
    ['Lord Howe', '01:45', '2027-04-04', '2027-04-03T14:45Z', 'doubled'],
    ['Lord Howe', '02:15', '2027-10-03', '2027-10-02T15:30Z', 'skipped'],
    ['Chatham', '03:00', '2027-04-04', '2027-04-03T13:15Z', 'doubled'],
    ['Chatham', '02:50', '2027-09-26', '2027-09-25T14:00Z', 'skipped'],
    ['Brisbane', '02:10', '2027-04-04', '2027-04-03T16:10Z', 'plain'],
  ] as const)('%s, %s on %s is %s, %s', (where, start, date, startAt, change) => {
    const found = onDay(zones[where], daily(clock(start)), date);
    expect(found.map((one) => [iso(one.startAt), one.clock, (one.endAt - one.startAt) / MINUTE])).toEqual([
      [startAt, change, 28],
    ]);
  });
});

it('E15: with daylight saving off 02:30 is 14:30Z all year', () => {
  const year = occurrences(
    daily(150),
    zones['standard time all year'],
    Date.parse('2027-01-01T00:00Z'),
    Date.parse('2028-01-01T00:00Z'),
  );
  expect(year).toHaveLength(365);
  expect(new Set(year.map(({ startAt }) => iso(startAt).slice(11)))).toEqual(new Set(['14:30Z']));
});

it('E16: day 1 of two is the 23rd of November 2026 and not the 22nd', () => {
  const noon = (date: string) => Date.parse(`${date}T00:00Z`);
  expect([20_779, 20_780]).toEqual(
    ['2026-11-22', '2026-11-23'].map((date) => farmDayOf(auckland, noon(date))),
  );
  expect(['2026-11-22', '2026-11-23'].map((date) => cycleDayOf(auckland, noon(date), 2))).toEqual([2, 1]);
  const everySecondDay = programmeOf([{ start: 0, duration: 28 }], 2880);
  expect(onDay(auckland, everySecondDay, '2026-11-22')).toEqual([]);
  expect(onDay(auckland, everySecondDay, '2026-11-23').map(({ startAt }) => iso(startAt))).toEqual([
    '2026-11-22T11:00Z',
  ]);
});

it('the 29th of February is a day like others, and a cycle of two goes on over the new year', () => {
  const starts = (programme: ReturnType<typeof daily>, dates: readonly string[]) =>
    dates.map((date) => onDay(auckland, programme, date).map(({ startAt }) => iso(startAt)));
  expect(starts(daily(300), ['2028-02-28', '2028-02-29', '2028-03-01'])).toEqual([
    ['2028-02-27T16:00Z'],
    ['2028-02-28T16:00Z'],
    ['2028-02-29T16:00Z'],
  ]);
  // The 22nd of November is day 20,779, so the 31st of December 20,818.
  const everySecondDay = programmeOf([{ start: 0, duration: 28 }], 2880);
  expect(starts(everySecondDay, ['2026-12-31', '2027-01-01', '2027-01-02'])).toEqual([
    ['2026-12-30T11:00Z'],
    [],
    ['2027-01-01T11:00Z'],
  ]);
});

it('a unit that says day 2 of 2 on 23 November is a day out; around midnight, and in a daily cycle, none is', () => {
  const said = (day: number, date: string) => ({ day, at: Date.parse(`${date}T00:00:00Z`) });
  expect(isDayOut(auckland, said(2, '2026-11-23'), 2)).toBe(true);
  expect(isDayOut(auckland, said(1, '2026-11-23'), 2)).toBe(false);
  expect(isDayOut(auckland, said(2, '2026-11-23'), 1)).toBe(false);
  expect(isDayOut(auckland, null, 2)).toBe(false);
  // 23 November, 00:00:30: by its own slow clock it is still the 22nd.
  const justAfter = { day: 2, at: Date.parse('2026-11-22T11:00:30Z') };
  expect(isDayOut(auckland, justAfter, 2)).toBe(false);
});

const somewhere = fc.constantFrom(...Object.values(zones));
const programme = fc.constantFrom(720, 1440, 2880).chain((cycleMin) =>
  fc.uniqueArray(fc.integer({ min: 0, max: cycleMin - 1 }), { minLength: 1, maxLength: 5 }).map((starts) =>
    programmeOf(
      starts.map((start) => ({ start, duration: 28 })),
      cycleMin,
    ),
  ),
);
const moment = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2035-12-01') });
/** A year of each takes long: `INVARIANT_RUNS=1000` tries as many as the others. */
const RUNS = Number(process.env['INVARIANT_RUNS'] ?? 100);
const span = fc.integer({ min: 0, max: 5 * DAY });

describe('invariant 11', () => {
  it('sorted, within the range, as long as planned, and a range cut in two gives the same', () => {
    fc.assert(
      fc.property(programme, somewhere, moment, span, span, (held, where, from, first, second) => {
        const [cut, to] = [from + first, from + first + second];
        const found = occurrences(held, where, from, to);
        expect(found).toEqual([...occurrences(held, where, from, cut), ...occurrences(held, where, cut, to)]);
        for (const [index, { startAt, endAt, entry }] of found.entries()) {
          expect(startAt).toBeGreaterThanOrEqual(Math.max(from, found[index - 1]?.startAt ?? from));
          expect(startAt).toBeLessThan(to);
          expect(endAt - startAt).toBe(entry.duration * MINUTE);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('each entry once on its day of the cycle, in every zone, whatever the clock does', () => {
    fc.assert(
      fc.property(programme, somewhere, moment, (held, where, from) => {
        const first = Math.ceil(farmDayOf(where, from) / held.cycleDays) * held.cycleDays;
        const midnight = (day: number) => {
          const guess = day * DAY - where.rawOffset * 1000;
          return day * DAY - farmOffsetSeconds(where, guess) * 1000;
        };
        const year = occurrences(held, where, midnight(first), midnight(first + 366));
        expect(year).toHaveLength((366 / held.cycleDays) * held.entries.length);
        const days = year.map(({ startAt, entry }) => `${farmDayOf(where, startAt)}/${entry.start}`);
        expect(new Set(days).size).toBe(year.length);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the next of them', () => {
  const starts = (found: readonly Occurrence[]) => found.map(({ startAt }) => iso(startAt));
  // 12:30 in New Zealand's summer time.
  const now = Date.parse('2026-11-20T23:30Z');

  it('begin with the one under way, and are as many as were asked for', () => {
    expect(starts(nextOccurrences(daily(clock('12:00'), 60), auckland, now, 3))).toEqual([
      '2026-11-20T23:00Z',
      '2026-11-21T23:00Z',
      '2026-11-22T23:00Z',
    ]);
    // Until 12:30: that is over.
    expect(starts(nextOccurrences(daily(clock('12:00'), 30), auckland, now, 1))).toEqual([
      '2026-11-21T23:00Z',
    ]);
  });

  it('are found in a cycle of a year, and none where no day of the cycle has any', () => {
    const entries = [{ start: 720, duration: 30, cycle: 1 }];
    const found = nextOccurrences({ entries, cycleDays: 366 }, auckland, now, 10);
    expect(found).toHaveLength(10);
    const [first, second] = found;
    expect((farmDayOf(auckland, second?.startAt ?? 0) - farmDayOf(auckland, first?.startAt ?? 0)) % 366).toBe(
      0,
    );
    expect(nextOccurrences({ entries: [], cycleDays: 1 }, auckland, now, 10)).toEqual([]);
    expect(
      nextOccurrences({ entries: [{ start: 720, duration: 30, cycle: 3 }], cycleDays: 2 }, auckland, now, 10),
    ).toEqual([]);
  });
});
