import { describe, expect, it } from 'vitest';
import { DAY_MS, QUARTER_MS, standardTime, takeDay, takeDayAt } from './clock.ts';
import { accuracyOf, exceedancesOf, type TakeLimits, type TakeRestriction } from './limits.ts';
import { checksOf, codeOf } from './register.ts';
import type { TakeRow } from './rows.ts';
import { m3OfQuarter, sevenDaySums, type TakeSum } from './sums.ts';
import { useOf } from './use.ts';
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
    const days = sums('2026-03-13', 100, 100, 100);
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
    const code = (end: number, state: TakeRow['state'] = 'measured') => codeOf({ end, state }, checks);
    expect([code(at), code(at + QUARTER_MS), code(at - DAY_MS)]).toEqual([600, 0, 0]);
    expect([code(at, 'shared'), code(at, 'estimated'), code(at, 'missing')]).toEqual([500, 300, 100]);
  });
});
