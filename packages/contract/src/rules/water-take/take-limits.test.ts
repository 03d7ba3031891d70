import { describe, expect, it } from 'vitest';
import { DAY_MS, QUARTER_MS, standardTime, takeDay, takeDayAt } from './clock.ts';
import { accuracyOf, exceedancesOf, mostThen, type TakeLimits, type TakeRestriction } from './limits.ts';
import { checksOf, codedRows } from './register.ts';
import { addedRows, type TakeRow } from './rows.ts';
import { m3OfQuarter, sevenDaySums, type TakeSum } from './sums.ts';
import { sevenDaysReachedAt, useOf } from './use.ts';
import type { VolumeStretch } from './volume.ts';

const nzst = standardTime({ rawOffset: 43_200 });
const dayAt = (text: string) => takeDayAt(nzst, text) ?? 0;
const none: TakeLimits = {
  maxLps: null,
  maxM3Day: null,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: null,
  validTo: null,
};
const row = (end: number, m3: number | null): TakeRow => ({
  end,
  m3,
  state: m3 === null ? 'missing' : 'measured',
  known: m3,
  before: null,
  after: null,
});
const sums = (first: string, ...volumes: number[]): TakeSum[] =>
  volumes.map((m3, index) => ({
    at: dayAt(first) + index * DAY_MS,
    m3,
    isWhole: true,
    hasUnknown: false,
    cut: [],
    rows: 96,
    counts: { measured: 96, shared: 0, estimated: 0, missing: 0 },
    highestLps: null,
  }));
const judged = (
  taken: { rows?: TakeRow[]; days?: TakeSum[] },
  limits: Partial<TakeLimits>,
  restrictions: TakeRestriction[] = [],
) =>
  exceedancesOf(
    { rows: taken.rows ?? [], days: taken.days ?? [] },
    { ...none, ...limits },
    { accuracy: accuracyOf('full'), time: nzst, restrictions },
  ).map(({ limit, at, isWithinAccuracy }) => [limit, takeDay(nzst, at), isWithinAccuracy]);

describe('what a consent allows', () => {
  it('20 L/s are 18 m³ in a quarter and 1,728 m³ in a day', () => {
    expect([m3OfQuarter(20), m3OfQuarter(20) * 96]).toEqual([18, 1728]);
  });

  it.each([
    ['the limit itself', 18, []],
    ['more, within what the meter may be wrong by', 18.4, [['rate', '2026-11-22', true]]],
    ['just as much as it may be wrong', 18.9, [['rate', '2026-11-22', true]]],
    ['more than that', 19, [['rate', '2026-11-22', false]]],
    ['nothing known', null, []],
  ])('%s: %s m³ in a quarter', (_what, m3, found) => {
    expect(judged({ rows: [row(dayAt('2026-11-22') + QUARTER_MS, m3)] }, { maxLps: 20 })).toEqual(found);
  });

  it('a quarter that is missing at one place is above by what was taken at the others, and not by a part of itself', () => {
    const end = dayAt('2026-11-22') + QUARTER_MS;
    const missing = { ...row(end, null), known: 90, isLeast: true } as const;
    const found = (...places: TakeRow[]) =>
      exceedancesOf(
        { rows: places.reduce<TakeRow[]>((all, one) => [...addedRows(all, [one])], []), days: [] },
        { ...none, maxLps: 20 },
        { accuracy: 0.05, time: nzst },
      ).map(({ value, isWhole, isWithinAccuracy }) => [value, isWhole, isWithinAccuracy]);
    expect(found(missing)).toEqual([]);
    expect(found(missing, row(end, 18))).toEqual([]);
    expect(found(missing, row(end, 9), row(end, 9.45))).toEqual([[20.5, false, true]]);
    expect(found(row(end, 27), missing, missing)).toEqual([[30, false, false]]);
  });

  it('a limit of nothing is passed by the least, and not by nothing', () => {
    const at = dayAt('2026-11-22') + QUARTER_MS;
    expect(judged({ rows: [row(at, 0), row(at + QUARTER_MS, 0.001)] }, { maxLps: 0 })).toEqual([
      ['rate', '2026-11-22', false],
    ]);
  });

  it('days, seven days that roll, and the year since 1 July', () => {
    const days = sums('2026-06-28', 100, 100, 100, 100, 100, 100, 100, 100, 10);
    expect(sevenDaySums(days).map(({ m3 }) => m3)).toEqual([100, 200, 300, 400, 500, 600, 700, 700, 610]);
    expect(judged({ days }, { maxM3Day: 99 })).toHaveLength(8);
    expect(judged({ days }, { maxM37Day: 660 })).toEqual([
      ['sevenDays', '2026-07-04', false],
      ['sevenDays', '2026-07-05', false],
    ]);
    // Three days of June are the year before; 1 to 4 July are 400, within 5 % of 390; with the fifth 500.
    expect(judged({ days }, { maxM3Year: 390 })).toEqual([
      ['year', '2026-07-04', true],
      ['year', '2026-07-05', false],
    ]);
  });

  it('holds on the days of the consent alone, the first and the last with it', () => {
    const days = sums('2026-03-13', 100, 100, 0);
    expect(judged({ days }, { maxM3Day: 50, validFrom: '2026-03-14', validTo: '2026-03-14' })).toEqual([
      ['day', '2026-03-14', false],
    ]);
  });

  it('a restriction makes it less while it lasts: a part of the rate, or nothing at all', () => {
    const start = dayAt('2026-11-22');
    const rows = [
      row(start + QUARTER_MS, 10),
      row(start + 2 * QUARTER_MS, 10),
      row(start + 3 * QUARTER_MS, 10),
    ];
    const [, second, third] = rows;
    const half = { from: start + QUARTER_MS, to: second?.end ?? 0, kind: 'rate', percent: 50 } as const;
    const cease = { from: second?.end ?? 0, to: third?.end ?? 0, kind: 'cease', percent: 0 } as const;
    const found = exceedancesOf(
      { rows, days: [] },
      { ...none, maxLps: 20 },
      {
        accuracy: 0.05,
        time: nzst,
        restrictions: [half, cease],
      },
    );
    expect(
      found.map(({ at, most, isRestricted }) => [(at - start) / QUARTER_MS, most, isRestricted]),
    ).toEqual([
      [2, 10, true],
      [3, 0, true],
    ]);
  });
});

describe('a restriction of the day’s volume', () => {
  const HOUR = 3_600_000;
  const day = dayAt('2026-12-01');
  const half = { from: day - HOUR, to: day + 13 * DAY_MS, kind: 'volume', percent: 50 } as const;
  const days = sums('2026-11-30', 1700, 1700);

  it('of a farm’s midnight in summer leaves the day whose last hour it is what it was', () => {
    // 50 % from 1 December 00:00 in New Zealand, which is 30 November 23:00 of standard time.
    expect(judged({ days }, { maxM3Day: 1728 }, [half])).toEqual([['day', '2026-12-01', false]]);
  });

  it('counts where several cover a day together, with the greatest part that they leave', () => {
    const noon = day + 12 * HOUR;
    const parts: TakeRestriction[] = [
      { ...half, from: noon, percent: 40 },
      { ...half, to: noon },
    ];
    const most = (restrictions: TakeRestriction[], maximum: number | null = 1000) =>
      mostThen(maximum, restrictions, { kind: 'volume', from: day, to: day + DAY_MS });
    expect(most(parts)).toEqual({ most: 500, isRestricted: true });
    expect(most([{ ...half, to: noon }])).toEqual({ most: 1000, isRestricted: false });
    const cease = { from: day, to: day + DAY_MS, kind: 'cease', percent: 0 } as const;
    expect(most([cease], null)).toEqual({ most: 0, isRestricted: true });
    expect(most([{ ...cease, to: noon }], null)).toBeNull();
    expect(
      most([
        { ...cease, to: noon },
        { ...half, from: noon },
      ])?.most,
    ).toBe(500);
  });

  it('and one of the rate leave a quarter in which it began what it was', () => {
    const rows = [row(day + QUARTER_MS, 18)];
    const late = { from: day + 7 * 60_000, to: day + DAY_MS, kind: 'cease', percent: 0 } as const;
    expect(judged({ rows }, { maxLps: 20 }, [late])).toEqual([]);
  });
});

describe('after the last day of a consent', () => {
  it('each day on which something is taken is above it, and a dry one is not', () => {
    const days = sums('2026-03-13', 100, 100, 0, 0.1);
    expect(judged({ days }, { maxM3Day: 500, validTo: '2026-03-13' })).toEqual([
      ['ended', '2026-03-14', false],
      ['ended', '2026-03-16', false],
    ]);
  });
});

describe('seven days that roll', () => {
  const at = dayAt('2026-11-22') + 12 * 3_600_000;
  const rate = { perMs: 10 / 3_600_000, at, dayEnd: dayAt('2026-11-23') };
  const reachedIn = (days: number[], most: number) => {
    const reached = sevenDaysReachedAt(days, most, rate);
    return reached && (reached - at) / 3_600_000;
  };

  it('are used up later where old days fall out, and never where as much falls out as is taken', () => {
    // 6 × 240 and 120 of today: at 10 m³ an hour the seven days stand at 1,680 for ever.
    const even = [240, 240, 240, 240, 240, 240, 120];
    expect(reachedIn(even, 1680)).toBe(12);
    expect(reachedIn(even, 1681)).toBeNull();
    expect(reachedIn([900, 0, 0, 0, 0, 0, 120], 1021)).toBe(0.1);
  });

  it('have no end where nothing is taken, or more was than may be', () => {
    expect(sevenDaysReachedAt([1, 1, 1, 1, 1, 1, 1], 100, { ...rate, perMs: 0 })).toBeNull();
    expect(reachedIn([100, 100, 100, 100, 100, 100, 100], 700)).toBeNull();
  });

  it('are reached on a later day', () => {
    // 120 now; 240 at midnight, and 10 an hour from then: 1,000 after 76 hours more.
    expect(reachedIn([0, 0, 0, 0, 0, 0, 120], 1000)).toBe(12 + 76);
  });
});

describe('used and left', () => {
  it('lasts as long as the rate of now leaves it', () => {
    // 600 of 1,000 m³ are used and 50 were taken in the last hour: 400 last eight hours.
    expect(useOf(600, 1000, { taken: 50, overMs: 3_600_000 })).toEqual({
      used: 600,
      most: 1000,
      left: 400,
      lastsMs: 8 * 3_600_000,
    });
  });

  it.each([
    ['nothing is taken', 600, { taken: 0, overMs: 1 }],
    ['the rate is not known', 600, null],
    ['none is left', 1000, { taken: 1, overMs: 1 }],
    ['more was taken', 1100, { taken: 1, overMs: 1 }],
  ])('has no end where %s', (_what, used, rate) => {
    expect(useOf(used, 1000, rate).lastsMs).toBeNull();
  });
});

describe('a reading of the register', () => {
  const at = dayAt('2026-11-22');
  const counted = (m3: number | null): VolumeStretch[] => [
    { from: at - DAY_MS, to: at, m3, state: 'measured', before: null, after: null },
  ];
  const read = (register: number) => [
    { at, m3: 5000 + register },
    { at: at - DAY_MS, m3: 5000 },
  ];

  it.each([
    ['agrees', 1010, 1000, 1, true],
    ['differs by more than 1 %', 1011, 1000, 1.1, false],
    ['shows less', 990, 1000, -1, true],
    ['went backwards', -5, 1000, -100.5, false],
    ['and telemetry are both nothing', 0, 0, 0, true],
    ['shows what telemetry never had', 5, 0, null, false],
    ['cannot be compared', 1000, null, null, false],
  ])('%s: %s m³ beside %s by telemetry', (_what, register, telemetry, percent, isGood) => {
    const [check] = checksOf(read(register), counted(telemetry));
    expect(check?.isGood).toBe(isGood);
    if (percent === null) expect(check?.percent).toBeNull();
    else expect(check?.percent).toBeCloseTo(percent, 9);
  });

  it('verifies the measured rows between two good ones, and no others', () => {
    const checks = checksOf(read(1000), counted(1000));
    const code = (end: number, state: TakeRow['state'] = 'measured') =>
      [...codedRows([{ end, state }], checks)][0]?.code;
    expect([code(at), code(at + QUARTER_MS), code(at - DAY_MS)]).toEqual([600, 0, 0]);
    expect([code(at, 'shared'), code(at, 'estimated'), code(at, 'missing')]).toEqual([500, 300, 100]);
  });

  it('verifies a row that lies in a good check of any of several meters, which may overlap and be given in any order', () => {
    const check = (from: number, to: number, isGood: boolean) => ({
      from: from * QUARTER_MS,
      to: to * QUARTER_MS,
      register: 1,
      telemetry: 1,
      percent: 0,
      isGood,
    });
    const checks = [
      check(6, 7, true),
      check(0, 3, true),
      check(1, 2, true),
      check(3, 6, false),
      check(9, 10, true),
    ];
    const rows = Array.from({ length: 11 }, (_none, n) => ({
      end: n * QUARTER_MS,
      state: 'measured' as const,
    }));
    expect([...codedRows(rows, checks)].map(({ code }) => code)).toEqual([
      0, 600, 600, 600, 0, 0, 0, 600, 0, 0, 600,
    ]);
  });
});
