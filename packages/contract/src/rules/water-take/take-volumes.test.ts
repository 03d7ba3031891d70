import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  quarterTexts,
  QUARTER_MS,
  standardTime,
  takeDayAt,
  waterYearName,
  waterYearStart,
} from './clock.ts';
import { gapsOf } from './gaps.ts';
import { amountVolumes, type CounterSettings, counterVolumes, flowVolumes } from './meter-volumes.ts';
import { addedRows, placeVolumes, quarterRows } from './rows.ts';
import { exceedancesOf } from './limits.ts';
import { completeness, daySums, hourSums, lpsOfQuarter, sevenDaySums, sumOf, sumOfDays } from './sums.ts';
import type { KnownGap, MeterReading } from './volume.ts';

const nzst = standardTime({ rawOffset: 43_200 });
const day = takeDayAt(nzst, '2026-11-22') ?? 0;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Readings by the clock of that day, HH:MM or HH:MM:SS. */
const clock = (text: string) => {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number);
  return day + (hour * 3600 + minute * 60 + second) * 1000;
};
const said = (...readings: [string, number][]): MeterReading[] =>
  readings.map(([text, value]) => ({ at: clock(text), value }));
const cubic: CounterSettings = { m3PerUnit: 1 };
const rowsOf = (readings: readonly MeterReading[], from: string, to: string, settings = cubic) => {
  const stretches = counterVolumes(readings, settings);
  const [start, end] = [clock(from), clock(to)];
  const meter = { from: -Infinity, to: Infinity, stretches };
  return [...quarterRows([...placeVolumes([meter], start, end)], start, end)];
};
const quietHours = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index): [string, number] => [`${from + index}:00`, 500]);
const short = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ end, m3, state }) => [
    quarterTexts(nzst).end(end).slice(11),
    m3 && Number(m3.toFixed(3)),
    state,
  ]);

describe('quarters of an hour from a running counter, by hand', () => {
  const night = said(['00:00', 1000], ['00:15', 1004], ['00:30', 1004], ['02:00', 1030]);

  it('are measured, zero where two readings say so, and missing over a silence whose total is known', () => {
    const rows = rowsOf(night, '00:00', '02:00');
    expect(short(rows)).toEqual([
      ['00:15', 4, 'measured'],
      ['00:30', 0, 'measured'],
      ...['00:45', '01:00', '01:15', '01:30', '01:45', '02:00'].map((end) => [end, null, 'missing']),
    ]);
    expect(lpsOfQuarter(4).toFixed(2)).toBe('4.44');
    const [gap] = gapsOf(rows);
    expect(gap).toEqual({
      from: clock('00:30'),
      to: clock('02:00'),
      rows: 6,
      m3: expect.closeTo(26, 9),
      isCut: false,
    });
    expect((((gap?.m3 ?? 0) * 1000) / 5400).toFixed(2)).toBe('4.81');
    const [sum] = daySums(rows, nzst);
    expect(sum).toMatchObject({
      m3: expect.closeTo(30, 9),
      isWhole: true,
      counts: { measured: 2, missing: 6 },
    });
  });

  const logger = said(['11:06:15', 100], ['11:25:56', 110], ['11:46:02', 120], ['12:05:15', 130]);

  it('are shares of the steps around them, where a reading falls on none of their ends', () => {
    expect(short(rowsOf(logger, '11:15', '12:00'))).toEqual([
      ['11:30', 7.578, 'shared'],
      ['11:45', 7.463, 'shared'],
      ['12:00', 7.782, 'shared'],
    ]);
  });

  it('are measured where the meter is marked as logging by volume and says within the hour that it is alive', () => {
    const rows = rowsOf(logger, '11:15', '12:00', { ...cubic, isByVolume: true });
    expect(short(rows).map(([, m3, state]) => [m3, state])).toEqual([
      [7.578, 'measured'],
      [7.463, 'measured'],
      [7.782, 'measured'],
    ]);
  });

  it('take a step of a logger as one, however often it said the same in between', () => {
    const heard = [...logger, ...said(['11:15', 100], ['11:30', 110], ['12:00', 120])];
    expect(short(rowsOf(heard, '11:15', '12:00', { ...cubic, isByVolume: true }))).toEqual(
      short(rowsOf(logger, '11:15', '12:00', { ...cubic, isByVolume: true })),
    );
  });

  it('are zero while a logger says the same, and its next step lies in the six hours before it alone', () => {
    const hours = Array.from({ length: 17 }, (_, hour): [string, number] => [`${hour}:00`, 500]);
    const rows = rowsOf(said(...hours, ['16:10', 510]), '00:00', '16:00', { ...cubic, isByVolume: true });
    expect(rows.every(({ state }) => state === 'measured')).toBe(true);
    expect(rows.slice(0, 40).every(({ m3 }) => m3 === 0)).toBe(true);
    // 10:00 to 16:10 is 370 min: 10 × 15 ÷ 370 in a quarter.
    expect(rows[40]?.m3).toBeCloseTo(0.405, 3);
  });

  it('are not zero since a logger’s last step: a pump may run, and the next one lies in the six hours before it', () => {
    const readings = said(['00:00', 490], ['00:30', 500], ...quietHours(1, 9));
    const stretches = [...counterVolumes(readings, { ...cubic, isByVolume: true })];
    expect(stretches.map(({ to, m3 }) => [(to - day) / HOUR, m3])).toEqual([
      [0.5, 10],
      [3, 0],
    ]);
    const pumped = [...counterVolumes(readings.slice(0, 4), { ...cubic, isByVolume: true })];
    expect(pumped.map(({ to, m3 }) => [(to - day) / HOUR, m3])).toEqual([[0.5, 10]]);
  });

  it('are zero over a quiet month of a logger that speaks each hour a little late', () => {
    const late = Array.from({ length: 700 }, (_, hour) => ({ at: day + hour * (HOUR + 2000), value: 7 }));
    const stretches = [...counterVolumes(late, { ...cubic, isByVolume: true })];
    expect(new Set(stretches.map(({ m3, state }) => `${m3} ${state}`))).toEqual(new Set(['0 measured']));
    const end = stretches.at(-1)?.to ?? 0;
    expect(stretches.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(end - day);
    expect((late.at(-1)?.at ?? 0) - end).toBeLessThanOrEqual(7 * HOUR);
  });

  it('are missing where a logger was silent for more than an hour, with the total of the silence', () => {
    const rows = rowsOf(said(['01:00', 10], ['01:30', 20], ['03:00', 50]), '01:00', '03:00', {
      ...cubic,
      isByVolume: true,
    });
    expect(gapsOf(rows)).toEqual([
      { from: clock('01:30'), to: clock('03:00'), rows: 6, m3: expect.closeTo(30, 9), isCut: false },
    ]);
  });

  it.each([
    ['at most 16 minutes apart', '00:16', 'measured'],
    ['a second more', '00:16:01', 'shared'],
    ['half an hour and what clocks and radio take', '00:30:02', 'shared'],
    ['as much as that may be', '00:32', 'shared'],
    ['a second more than that', '00:32:01', 'missing'],
  ])('rest on readings %s: %s is %s', (_what, end, state) => {
    expect(rowsOf(said(['00:00', 1], [end, 2]), '00:00', '00:15')[0]?.state).toBe(state);
  });
});

describe('a counter that did not only grow', () => {
  it.each([
    ['ran over its end', 65_530, 14, 'measured', 20],
    ['began anew', 40_000, 3, 'missing', null],
    ['was set back', 1000, 990, 'missing', null],
    ['is another one’s after a swap, since no pipe carries that much', 1000, 9_000_000, 'missing', null],
  ])('%s: from %d to %d its row is %s', (_what, before, after, state, known) => {
    expect(rowsOf(said(['00:00', before], ['00:15', after]), '00:00', '00:15')[0]).toMatchObject({
      state,
      known,
    });
  });

  it('leaves its day not whole, and what is known stands', () => {
    const rows = rowsOf(said(['00:00', 100], ['00:15', 104], ['00:30', 2], ['00:45', 5]), '00:00', '00:45');
    expect(short(rows).map(([, m3]) => m3)).toEqual([4, null, 3]);
    expect(daySums(rows, nzst)[0]).toMatchObject({ m3: 7, isWhole: false });
    expect(gapsOf(rows)[0]?.m3).toBeNull();
  });
});

describe('a quarter that is known in part', () => {
  // It began anew between 00:20 and 00:25: 2 m³ are sure before and 3 after it.
  const restarted = said(
    ['00:00', 100],
    ['00:15', 104],
    ['00:20', 106],
    ['00:25', 2],
    ['00:30', 5],
    ['00:45', 8],
  );
  const rows = rowsOf(restarted, '00:00', '00:45');

  it('is missing, and what is sure of it counts as the least in its day', () => {
    expect(rows.map(({ m3, state, known, isLeast }) => [m3, state, known, isLeast])).toEqual([
      [4, 'measured', 4, undefined],
      [null, 'missing', 5, true],
      [3, 'measured', 3, undefined],
    ]);
    expect(daySums(rows, nzst)).toMatchObject([{ m3: 12, isWhole: false, hasUnknown: true }]);
    expect(gapsOf(rows)).toMatchObject([{ rows: 1, m3: null, isCut: false }]);
  });

  it('may be what a limit is passed by', () => {
    const limits = {
      maxLps: null,
      maxM3Day: 11,
      maxM37Day: 11,
      maxM3Year: null,
      validFrom: null,
      validTo: null,
    };
    const found = exceedancesOf({ rows, days: daySums(rows, nzst) }, limits, { accuracy: 0.05, time: nzst });
    expect(found.map(({ limit, value, isWhole }) => [limit, value, isWhole])).toEqual([
      ['day', 12, false],
      ['sevenDays', 12, false],
    ]);
  });
});

describe('a gap that an edge cuts', () => {
  const hours = [
    ...said(['00:00', 1000], ['00:15', 1004], ['00:30', 1004], ['02:00', 1030]),
    ...said(['02:15', 1031]),
  ];

  it('leaves an hour with two missing quarters not whole, with its measured quarters alone', () => {
    const found = [...hourSums(rowsOf(hours, '00:00', '02:15'))];
    expect(found.map(({ m3, isWhole, cut }) => [m3, isWhole, cut.map((gap) => gap.m3)])).toEqual([
      [4, false, [26]],
      [0, false, [26]],
      [1, true, []],
    ]);
  });

  it('counts in an hour in which it lies whole', () => {
    const inHour = said(['00:00', 10], ['00:15', 12], ['01:00', 20], ['01:15', 21]);
    expect([...hourSums(rowsOf(inHour, '00:00', '01:00'))][0]).toMatchObject({
      m3: 10,
      isWhole: true,
      cut: [],
    });
  });

  /** Each quarter of the two days 1 m³, and 100 m³ in a silence from 22:00 to 02:00. */
  const overMidnight = Array.from({ length: 2 * 96 + 1 }, (_, quarter) => ({
    at: day + quarter * QUARTER_MS,
    value: quarter <= 88 ? quarter : quarter + 84,
  })).filter((_, quarter) => quarter <= 88 || quarter >= 104);
  const twoDays = rowsOf(overMidnight, '00:00', '48:00');

  it('over midnight is in neither day, and in both together', () => {
    const days = daySums(twoDays, nzst);
    expect(days.map(({ m3, isWhole }) => [m3, isWhole])).toEqual([
      [88, false],
      [88, false],
    ]);
    expect(sumOfDays(days)).toEqual({ m3: 276, isWhole: true });
    expect(sumOf(day, twoDays)).toMatchObject({ m3: 276, isWhole: true, cut: [] });
    expect(sevenDaySums(days).map(({ m3, isWhole }) => [m3, isWhole])).toEqual([
      [88, false],
      [276, true],
    ]);
    expect(gapsOf(twoDays)).toEqual([
      { from: clock('22:00'), to: clock('26:00'), rows: 16, m3: 100, isCut: false },
    ]);
  });

  it('is in no day that is judged by its limit: half of it would make both too much', () => {
    const limits = {
      maxLps: null,
      maxM3Day: 100,
      maxM37Day: 270,
      maxM3Year: 270,
      validFrom: null,
      validTo: null,
    };
    const days = daySums(twoDays, nzst);
    const found = exceedancesOf({ rows: twoDays, days }, limits, { accuracy: 0.05, time: nzst });
    expect(
      found.map(({ limit, at, value, isWhole }) => [limit, (at - day) / DAY_MS, value, isWhole]),
    ).toEqual([
      ['sevenDays', 1, 276, true],
      ['year', 1, 276, true],
    ]);
    const least = exceedancesOf(
      { rows: [], days },
      { ...limits, maxM3Day: 87 },
      { accuracy: 0.05, time: nzst },
    );
    expect(least.filter(({ limit }) => limit === 'day').map(({ isWhole }) => isWhole)).toEqual([
      false,
      false,
    ]);
  });

  it('has no value where the rows begin or end in it, and says why', () => {
    const ends = (from: string, to: string) => gapsOf(rowsOf(overMidnight, from, to));
    const none = { m3: null, isCut: true };
    expect(ends('00:00', '24:00')).toEqual([{ from: clock('22:00'), to: clock('24:00'), rows: 8, ...none }]);
    expect(ends('24:00', '48:00')).toEqual([{ from: clock('24:00'), to: clock('26:00'), rows: 8, ...none }]);
  });

  it('holds nothing of which each part is known, where the counter stood still', () => {
    const still = said(['22:00', 5], ['26:00', 5]);
    expect(daySums(rowsOf(still, '22:00', '26:00'), nzst).map(({ m3, isWhole }) => [m3, isWhole])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(gapsOf(rowsOf(still, '22:00', '24:00'))).toMatchObject([{ m3: 0, isCut: false }]);
  });

  it('in which a meter was taken out is not known: who counted on is another’s', () => {
    const stretches = counterVolumes(said(['00:00', 0], ['00:15', 1], ['04:00', 50]), cubic);
    const to = clock('06:00');
    const placed = placeVolumes([{ from: day, to: clock('02:00'), stretches }], day, to);
    const [sum] = daySums([...quarterRows([...placed], day, to)], nzst);
    expect(sum).toMatchObject({ m3: 1, isWhole: false, hasUnknown: true, cut: [] });
  });
});

describe('meters at one place and places together', () => {
  const old = counterVolumes(said(['00:00', 10], ['00:15', 12], ['00:20', 13], ['00:45', 90]), cubic);
  const next = counterVolumes(said(['00:25', 0], ['00:30', 1], ['00:45', 4]), cubic);

  it('follow each other after a swap in mid-day: between their words nothing is known', () => {
    const swap = clock('00:22');
    const stretches = placeVolumes(
      [
        { from: day, to: clock('00:20'), stretches: old },
        { from: swap, to: clock('00:45'), stretches: next },
      ],
      day,
      clock('00:45'),
    );
    expect(short([...quarterRows([...stretches], day, clock('00:45'))])).toEqual([
      ['00:15', 2, 'measured'],
      ['00:30', null, 'missing'],
      ['00:45', 3, 'measured'],
    ]);
  });

  it('add up, and what is missing at one is missing in the sum', () => {
    const one = rowsOf(said(['00:00', 0], ['00:15', 2], ['00:30', 3]), '00:00', '00:30');
    const other = rowsOf(said(['00:00', 0], ['00:15', 5], ['02:00', 9]), '00:00', '00:30');
    expect([...addedRows(one, other)].map(({ m3, state }) => [m3, state])).toEqual([
      [7, 'measured'],
      [null, 'missing'],
    ]);
  });

  it('count what is sure at one where the other was never heard, as the least that was taken', () => {
    const one = rowsOf(said(['00:00', 0], ['00:15', 2], ['00:30', 5]), '00:00', '00:30');
    const unheard = [...quarterRows([...placeVolumes([], day, clock('00:30'))], day, clock('00:30'))];
    for (const rows of [addedRows(one, unheard), addedRows(unheard, one)]) {
      const both = [...rows];
      expect(both.map(({ m3, state }) => [m3, state])).toEqual([
        [null, 'missing'],
        [null, 'missing'],
      ]);
      expect(daySums(both, nzst)).toMatchObject([{ m3: 5, isWhole: false, hasUnknown: true }]);
      // What was taken in all in that time isn't known.
      expect(gapsOf(both)).toMatchObject([{ rows: 2, m3: null, isCut: false }]);
      const limits = {
        maxLps: null,
        maxM3Day: 4,
        maxM37Day: null,
        maxM3Year: null,
        validFrom: null,
        validTo: null,
      };
      const found = exceedancesOf({ rows: both, days: daySums(both, nzst) }, limits, {
        accuracy: 0.05,
        time: nzst,
      });
      expect(found).toMatchObject([{ limit: 'day', value: 5, most: 4, isWhole: false }]);
    }
  });

  it('add up by their times, where a meter was built in later and another was taken out earlier', () => {
    const one = rowsOf(said(['00:00', 0], ['00:15', 2], ['00:30', 3]), '00:00', '00:30');
    const other = rowsOf(said(['00:15', 0], ['00:30', 4], ['00:45', 9]), '00:15', '00:45');
    const sums = [
      [clock('00:15'), 2],
      [clock('00:30'), 5],
      [clock('00:45'), 5],
    ];
    for (const rows of [addedRows(one, other), addedRows(other, one)])
      expect([...rows].map(({ end, m3 }) => [end, m3])).toEqual(sums);
  });
});

describe('a meter without a running total', () => {
  const rows = (stretches: ReturnType<typeof flowVolumes>) => [
    ...quarterRows(
      [...placeVolumes([{ from: day, to: clock('01:00'), stretches }], day, clock('01:00'))],
      day,
      clock('01:00'),
    ),
  ];

  it('that tells a flow gives estimates, and none over more than half an hour', () => {
    // 600 L/min for a quarter of an hour is 9 m³.
    const found = rows(flowVolumes(said(['00:00', 600], ['00:15', 600], ['00:30', 0], ['01:02:01', 0])));
    expect(found.map(({ m3, state }) => [m3, state])).toEqual([
      [9, 'estimated'],
      [4.5, 'estimated'],
      [null, 'missing'],
      [null, 'missing'],
    ]);
  });

  it('that tells amounts gives estimates too: of a lost message nothing shows', () => {
    const found = rows(amountVolumes(said(['00:00', 7], ['00:15', 3], ['00:30', 2]), 1));
    expect(found.slice(0, 3).map(({ m3, state }) => [m3, state])).toEqual([
      [3, 'estimated'],
      [2, 'estimated'],
      [null, 'missing'],
    ]);
  });
});

describe('days and years on standard time', () => {
  // Clocks in New Zealand went forward on 27/09/2026 and back on 05/04/2026.
  it.each(['2026-09-27', '2026-04-05', '2028-02-29'])('%s has 96 rows, from 00:15 to 24:00', (text) => {
    const start = takeDayAt(nzst, text) ?? 0;
    const rows = [...quarterRows([...placeVolumes([], start, start + DAY_MS)], start, start + DAY_MS)];
    expect(rows).toHaveLength(96);
    expect([rows[0], rows.at(-1)].map((row) => quarterTexts(nzst).end(row?.end ?? 0))).toEqual([
      `${text} 00:15`,
      `${text} 24:00`,
    ]);
    expect(daySums(rows, nzst)).toHaveLength(1);
    expect([...hourSums(rows)]).toHaveLength(24);
    expect(rows.every(({ state }) => state === 'missing')).toBe(true);
  });

  it.each([
    ['Lord Howe', 37_800],
    ['Chatham', 45_900],
    ['Adelaide', 34_200],
  ])('the quarters of %s are those of UTC', (_where, rawOffset) => {
    expect((takeDayAt(standardTime({ rawOffset }), '2026-11-22') ?? 1) % QUARTER_MS).toBe(0);
  });

  it('a water year begins on 1 July', () => {
    const june = takeDayAt(nzst, '2026-06-30') ?? 0;
    expect([june, june + DAY_MS].map((at) => waterYearName(nzst, at))).toEqual(['2025/26', '2026/27']);
    expect(waterYearStart(nzst, june + DAY_MS)).toBe(june + DAY_MS);
    expect(takeDayAt(nzst, '14-03-2026')).toBe(takeDayAt(nzst, '2026-03-14'));
    expect(takeDayAt(nzst, '2026-02-29')).toBeNull();
  });
});

describe('whatever a counter says', () => {
  const history = fc
    .array(fc.record({ seconds: fc.integer({ min: 1, max: 5000 }), count: fc.integer({ min: 0, max: 9 }) }), {
      maxLength: 60,
    })
    .map((steps) => {
      let [at, value] = [day - HOUR, 1000];
      return steps.map(({ seconds, count }) => ({ at: (at += seconds * 1000), value: (value += count) }));
    });
  const both = fc.boolean();

  it('the rows of its time and the gaps between them add up to its difference', () => {
    fc.assert(
      fc.property(history, both, (readings, isByVolume) => {
        const [first, last] = [readings[0], readings.at(-1)];
        if (!first || !last) return;
        const [from, to] = [day - HOUR, day + 4 * DAY_MS];
        const stretches = [...counterVolumes(readings, { m3PerUnit: 1, isByVolume })];
        const counted = stretches.reduce((sum, { m3 }) => sum + (m3 ?? 0), 0);
        expect(counted).toBeCloseTo(last.value - first.value, 6);
        const rows = [...quarterRows([...placeVolumes([{ from, to, stretches }], from, to)], from, to)];
        const gaps = new Set<KnownGap>(rows.flatMap((row) => row.gaps ?? []));
        const inGaps = [...gaps].reduce((sum, { m3 }) => sum + m3, 0);
        const days = daySums(rows, nzst);
        const cut = new Set(days.flatMap((one) => one.cut));
        const inDays = days.reduce((sum, { m3 }) => sum + m3, 0);
        const inCut = [...cut].reduce((sum, { m3 }) => sum + m3, 0);
        const inRows = rows.reduce((sum, { known }) => sum + (known ?? 0), inGaps);
        expect(inDays + inCut).toBeCloseTo(inRows, 6);
        expect(inRows).toBeCloseTo(last.value - first.value, 6);
      }),
    );
  });

  it('comes to the same rows in whichever order, doubled, and in however many parts it came', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), both, (readings, keys, isByVolume) => {
        const late = readings
          .map((reading) => ({ reading, key: keys.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ reading }) => reading);
        const [from, to] = [day, day + DAY_MS];
        const of = (some: readonly MeterReading[]) => {
          const stretches = counterVolumes(some, { m3PerUnit: 0.1, isByVolume });
          return [...quarterRows([...placeVolumes([{ from, to, stretches }], from, to)], from, to)];
        };
        expect(of([...late, ...readings.slice(0, 5)])).toEqual(of(readings));
      }),
    );
  });

  it('no row is zero without two readings, at most 32 minutes apart, that say so', () => {
    fc.assert(
      fc.property(history, (readings) => {
        const rows = rowsOf(readings, '00:00', '24:00');
        for (const { end, m3 } of rows) {
          if (m3 !== 0) continue;
          const start = end - QUARTER_MS;
          const around = readings.filter((one, index) => {
            const [before, after] = [readings[index - 1], readings[index + 1]];
            return (
              (one.at >= start || (after?.at ?? 0) > start) &&
              (one.at <= end || (before?.at ?? Infinity) < end)
            );
          });
          expect(around.length).toBeGreaterThanOrEqual(2);
          const apart = around.slice(1).map((one, index) => one.at - (around[index]?.at ?? 0));
          expect(Math.max(...apart)).toBeLessThanOrEqual(32 * MINUTE);
          expect(new Set(around.map(({ value }) => value)).size).toBe(1);
        }
      }),
    );
  });

  it('is as complete as it has measured rows', () => {
    const [sum] = daySums(rowsOf(said(['00:00', 1], ['00:15', 2], ['00:30', 2]), '00:00', '24:00'), nzst);
    expect(sum && completeness(sum)).toBe(2 / 96);
    expect(
      completeness({ counts: { measured: 0, shared: 0, estimated: 0, missing: 0 }, rows: 0 }),
    ).toBeNull();
  });
});
