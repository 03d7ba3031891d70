import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysWithFalls, fallsOf, withoutComebacks } from './comebacks.ts';
import { type Rollup, type RollupSeries, seriesOf as within } from './rollup-query.ts';
import { stepBetween } from './step-between.ts';

const MINUTE = 60_000;

/** A row of the readings in it: what it counts, each from the one before, as it is stored. */
function rowOf(
  values: readonly (readonly [minute: number, total: number])[],
  from: number | null,
  wrapAt: number | null = null,
): Rollup {
  let before = from;
  let rises = 0;
  for (const [, total] of values) {
    rises += stepBetween(before, total, { isCounter: true, wrapAt }).rise;
    before = total;
  }
  const totals = values.map(([, total]) => total);
  const [first = 0, last = 0] = [totals[0], totals.at(-1)];
  const [firstAt = 0, lastAt = 0] = [values[0]?.[0], values.at(-1)?.[0]].map(
    (minute) => (minute ?? 0) * MINUTE,
  );
  return {
    at: firstAt,
    n: values.length,
    min: Math.min(...totals),
    max: Math.max(...totals),
    sum: 0,
    falls: 0,
    rises,
    firstAt,
    firstValue: first,
    lastAt,
    lastValue: last,
    area: null,
    coveredMin: null,
    fastest: 1,
  };
}

/** Readings (minute, total) in rows of so many minutes; the first reading stands before them. */
function seriesOf(
  readings: readonly (readonly [number, number])[],
  minutes: number,
  wrapAt: number | null = null,
): RollupSeries {
  const [first, ...rest] = readings;
  const before = first ? rowOf([first], null) : null;
  const starts = [...new Set(rest.map(([minute]) => Math.floor(minute / minutes)))];
  let last = first?.[1] ?? null;
  const rows = starts.map((start) => {
    const own = rest.filter(([minute]) => Math.floor(minute / minutes) === start);
    const row = rowOf(own, last, wrapAt);
    last = own.at(-1)?.[1] ?? last;
    return row;
  });
  return { before, rows, after: null };
}

/** Each five minutes from 55 on. */
const each5 = (...totals: number[]) => totals.map((total, nth) => [55 + 5 * nth, total] as const);
const counted = (series: RollupSeries, wrapAt: number | null = null) =>
  withoutComebacks(series, fallsOf(series, wrapAt));
const counts = (series: RollupSeries, wrapAt: number | null = null) =>
  counted(series, wrapAt).rows.map(({ rises }) => rises);

const HOUR = 60;

describe('what rows of a running total count', () => {
  it.each<[string, number[], number, number[]]>([
    ['in order', [1000, 1004, 1008, 1012], 5, [4, 4, 4]],
    ['fell to 0 for one reading', [1000, 1004, 0, 1012], 5, [4, 0, 8]],
    ['fell to 0 for three', [1000, 1004, 0, 0, 0, 1020], 5, [4, 0, 0, 0, 16]],
    ['fell to something else', [1000, 1004, 7, 400, 1016], 5, [4, 0, 0, 12]],
    ['jumped for one reading', [1000, 1004, 9000, 1012], 5, [4, 0, 8]],
    ['jumped for two', [1000, 1004, 9000, 9004, 1020], 5, [4, 0, 0, 16]],
    ['began anew, and counts on', [1000, 1004, 0, 4, 8], 5, [4, 0, 4, 4]],
    ['was set back a little', [1000, 1004, 800, 804], 5, [4, 0, 4]],
    ['ran over its 16 bits', [65_530, 65_534, 2, 6], 5, [4, 4, 4]],
    ['in an hour: fell and came back', [1000, 1004, 0, 1012, 1016], HOUR, [16]],
    ['in an hour: jumped and fell back', [1000, 1004, 9000, 1012], HOUR, [12]],
    ['in an hour: began anew', [1000, 1004, 0, 4], HOUR, [8]],
  ])('%s', (_what, totals, minutes, expected) => {
    expect(counts(seriesOf(each5(...totals), minutes))).toEqual(expected);
  });

  it('are those between the totals in order, where it fell at the end of an hour and came back in the next', () => {
    const readings = [...each5(1000), [110, 1008], [118, 0], [125, 1020], [170, 1030]] as const;
    expect(counts(seriesOf(readings, HOUR))).toEqual([8, 22]);
  });

  it('are those between the totals in order also where nothing was heard before the hour in which it fell', () => {
    const readings = [
      [0, 990],
      [300, 1000],
      [340, 1004],
      [350, 7],
      [355, 9],
      [362, 11],
      [370, 1010],
    ] as const;
    // 10 in the silence and 4; 6 from 1,004 to 1,010.
    expect(counts(seriesOf(readings, HOUR))).toEqual([14, 6]);
  });

  it('stay where it shows as much again only after more than an hour', () => {
    const readings = [
      [0, 100],
      [10, 104],
      [20, 0],
      [100, 60],
      [180, 120],
    ] as const;
    expect(counts(seriesOf(readings, 5))).toEqual([4, 0, 60, 60]);
  });

  it('are whole turns of a small register where an hour has some', () => {
    const readings = [...each5(0), [60, 6000], [70, 2000], [80, 8000], [90, 4000]] as const;
    const { before, rows } = seriesOf(readings, HOUR);
    // 6,000, three times: a register of 10,000 goes round twice, and all of it was counted.
    const whole = rows.map((row) => ({ ...row, rises: 24_000 }));
    expect(counts({ before, rows: whole, after: null }, 10_000)).toEqual([24_000]);
  });

  it('are all that a small register counted, however often it goes round within an hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 999 }), (each, start) => {
        const totals = Array.from({ length: 30 }, (_none, nth) => (start + nth * each) % 1000);
        expect(counts(seriesOf(each5(...totals), 5, 1000), 1000)).toEqual(Array(29).fill(each));
      }),
    );
  });

  it('are all of a small register that goes round once while water runs, between times of none', () => {
    // 200, 400, 400, 400 and 100: 1,500 in all.
    const totals = [100, 100, 300, 700, 100, 500, 600, 600, 600];
    const all = [0, 200, 400, 400, 400, 100, 0, 0];
    expect(counts(seriesOf(each5(...totals), 5, 1000), 1000)).toEqual(all);
  });

  it('are none that a wrong total below the end of a register made of it', () => {
    // 600 to 5 looks as 405 over the end of 1,000, and 605 comes back.
    const totals = [590, 595, 600, 5, 605, 610];
    expect(counts(seriesOf(each5(...totals), 5, 1000), 1000)).toEqual([5, 5, 0, 5, 5]);
    // At 65,520 of 16 bits.
    const near = [65_510, 65_515, 65_520, 5, 65_525, 65_530];
    expect(counts(seriesOf(each5(...near), 5))).toEqual([5, 5, 0, 5, 5]);
  });

  it('are all where it began anew in a silence, and passed its old total soon', () => {
    const readings = [
      [0, 100],
      [600, 0],
      [610, 60],
      [620, 150],
    ] as const;
    expect(counts(seriesOf(readings, 5))).toEqual([0, 60, 90]);
    expect(counts(seriesOf(readings, HOUR))).toEqual([150]);
  });

  it('say nothing of how fast it was where it came back', () => {
    const { rows } = counted(seriesOf(each5(1000, 1004, 0, 1012), 5));
    expect(rows.map(({ fastest }) => fastest)).toEqual([1, null, null]);
  });

  it('come to what the counter went on, whatever it said for less than an hour between', () => {
    const garbage = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 11 });
    fc.assert(
      fc.property(
        fc.integer({ min: 500_000, max: 900_000 }),
        garbage,
        fc.constantFrom(5, HOUR),
        (start, wrong, minutes) => {
          const totals = [start, start + 4, start + 8, ...wrong, start + 60, start + 64];
          const sum = counts(seriesOf(each5(...totals), minutes)).reduce((all, one) => all + one, 0);
          expect(sum).toBe(64);
        },
      ),
    );
  });
});

describe('a chart that begins or ends while a total is away', () => {
  /** What it counts from one minute to another, with as much read on either side as a chart reads. */
  function chart(all: RollupSeries, minutes: number, from: number, to: number): number[] {
    const [earlier, later] = minutes === HOUR ? [6 * HOUR, 4 * HOUR] : [195, 130];
    const told = [all.before, ...all.rows].filter((row) => row !== null);
    const near = told.filter(({ at }) => at >= (from - earlier) * MINUTE && at < (to + later) * MINUTE);
    return counts(within(near, { from: from * MINUTE, to: to * MINUTE }));
  }

  it.each([5, HOUR])('counts nothing of it, in rows of %i minutes', (minutes) => {
    // It falls at 11:50 and is back at 12:05: 1,002 when it fell, 1,012 after.
    const all = seriesOf(
      [
        [600, 1000],
        [640, 1001],
        [700, 1002],
        [710, 0],
        [715, 0],
        [725, 1012],
        [770, 1014],
      ],
      minutes,
    );
    const sum = (from: number, to: number) => chart(all, minutes, from, to).reduce((a, b) => a + b, 0);
    expect([sum(600, 720), sum(720, 1000), sum(600, 1000)]).toEqual([2, 12, 14]);
  });

  it('counts in each row what one that begins earlier or ends later does', () => {
    // In order for 70 minutes at least, then wrong for 55 at most: by how much it goes on, and what it says meanwhile.
    const part = fc.tuple(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 14, maxLength: 20 }),
      fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 10 }),
    );
    const parts = fc.array(part, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.constantFrom(5, HOUR), (given, minutes) => {
        let total = 200_000;
        const totals = given.flatMap(([steps, wrong]) => [...steps.map((step) => (total += step)), ...wrong]);
        const all = seriesOf(each5(200_000, ...totals, total + 1, total + 2), minutes);
        const ends = all.rows.map(({ at }) => Math.floor(at / MINUTE / minutes) * minutes);
        const last = (ends.at(-1) ?? 0) + minutes;
        const whole = chart(all, minutes, ends[0] ?? 0, last);
        expect(whole.filter((one) => one < 0)).toEqual([]);
        for (const [nth, end] of ends.entries()) {
          expect(chart(all, minutes, end, last)).toEqual(whole.slice(nth));
          expect(chart(all, minutes, ends[0] ?? 0, end)).toEqual(whole.slice(0, nth));
        }
      }),
    );
  });
});

describe('days that are looked into', () => {
  const DAY = 1440;
  const placesOf = (readings: readonly (readonly [number, number])[]) => {
    const series = seriesOf(readings, DAY);
    const days = daysWithFalls(series);
    return series.rows.flatMap((row, place) => (days.includes(row) ? [place] : []));
  };

  it('are none where the total only goes on', () => {
    expect(
      placesOf([
        [0, 100],
        [60, 110],
        [1500, 140],
        [3000, 150],
      ]),
    ).toEqual([]);
  });

  it('are those in which it fell, and the day after each', () => {
    expect(
      placesOf([
        [0, 100],
        [60, 110],
        [70, 0],
        [80, 130],
        [1500, 140],
        [3000, 150],
      ]),
    ).toEqual([0, 1]);
    // It fell just before midnight and came back just after.
    expect(
      placesOf([
        [0, 100],
        [60, 110],
        [1430, 0],
        [1445, 130],
        [3000, 150],
      ]),
    ).toEqual([0, 1]);
  });
});
