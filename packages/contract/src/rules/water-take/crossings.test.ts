import { describe, expect, it } from 'vitest';
import { DAY_MS, takeDayAt } from './clock.ts';
import { crossingsOn } from './crossings.ts';
import type { TakeLimits } from './limits.ts';
import type { TakeSum } from './sums.ts';

const time = { offsetMs: 43_200_000 };
const start = (day: string) => takeDayAt(time, day) ?? 0;
const none: TakeLimits = {
  maxLps: null,
  maxM3Day: null,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: null,
  validTo: null,
};
/** One after the other, since a day. */
const taken = (first: string, ...m3: number[]): TakeSum[] =>
  m3.map((one, index) => ({
    at: start(first) + index * DAY_MS,
    m3: one,
    isWhole: true,
    hasUnknown: false,
    cut: [],
    rows: 96,
    counts: { measured: 96, shared: 0, estimated: 0, missing: 0 },
    highestLps: null,
  }));
const crossed = (day: string, days: TakeSum[], limits: Partial<TakeLimits>, restrictions: object[] = []) =>
  crossingsOn(
    start(day),
    days,
    { ...none, ...limits },
    { near: 0.8, accuracy: 0.05, time, restrictions: restrictions as never },
  ).map(({ limit, degree, value, most, isWithinAccuracy }) => [limit, degree, value, most, isWithinAccuracy]);

describe('a limit of a water take', () => {
  it('of a day is near above 80 % of it, and over above all of it', () => {
    const of = (m3: number) => crossed('2026-11-21', taken('2026-11-21', m3), { maxM3Day: 1000 });
    expect(of(800)).toEqual([]);
    expect(of(800.1)).toEqual([['day', 'near', 800.1, 1000, true]]);
    expect(of(1000)).toEqual([['day', 'near', 1000, 1000, true]]);
    // Up to 1,050 m³ the meter may be wrong by that much.
    expect(of(1050)).toEqual([['day', 'over', 1050, 1000, true]]);
    expect(of(1051)).toEqual([['day', 'over', 1051, 1000, false]]);
  });

  it('of seven days is crossed on the day before which it was not: steady use says it once', () => {
    // Six days of 100, then 150, 100 and so on; 80 % of 900 is 720.
    const days = taken('2026-11-15', 100, 100, 100, 100, 100, 100, 150, 100);
    expect(crossed('2026-11-20', days, { maxM37Day: 900 })).toEqual([]);
    expect(crossed('2026-11-21', days, { maxM37Day: 900 })).toEqual([['sevenDays', 'near', 750, 900, true]]);
    // The day before had 750 as well.
    expect(crossed('2026-11-22', days, { maxM37Day: 900 })).toEqual([]);
    expect(
      crossed('2026-11-22', [...days.slice(0, 7), ...taken('2026-11-22', 400)], { maxM37Day: 900 }),
    ).toEqual([['sevenDays', 'over', 1050, 900, false]]);
  });

  it('of a year is crossed as long as it is above, and begins anew on 1 July and on the first day of the consent', () => {
    const days = taken('2026-06-29', 500, 350, 200, 700);
    // 29 and 30 June are of the year before: 850 of 1,000.
    expect(crossed('2026-06-30', days, { maxM3Year: 1000 })).toEqual([['year', 'near', 850, 1000, true]]);
    expect(crossed('2026-07-01', days, { maxM3Year: 1000 })).toEqual([]);
    expect(crossed('2026-07-02', days, { maxM3Year: 1000 })).toEqual([['year', 'near', 900, 1000, true]]);
    expect(crossed('2026-07-03', days, { maxM3Year: 1000 })).toEqual([['year', 'near', 900, 1000, true]]);
    expect(crossed('2026-07-02', days, { maxM3Year: 1000, validFrom: '2026-07-02' })).toEqual([]);
    expect(crossed('2026-07-02', days, { maxM3Year: 800, validTo: '2026-07-01' })).toEqual([]);
  });

  it('is what a restriction leaves of it, where that covers the day', () => {
    const cut = { from: start('2026-11-21'), to: start('2026-11-22'), kind: 'volume', percent: 50 };
    const of = (m3: number, restrictions: object[]) =>
      crossed('2026-11-21', taken('2026-11-21', m3), { maxM3Day: 1000 }, restrictions);
    expect(of(450, [])).toEqual([]);
    expect(of(450, [cut])).toEqual([['day', 'near', 450, 500, true]]);
    // Nothing may be taken: nothing is near, and a litre is over.
    expect(of(0, [{ ...cut, kind: 'cease' }])).toEqual([]);
    expect(of(1, [{ ...cut, kind: 'cease' }])).toEqual([['day', 'over', 1, 0, false]]);
  });
});
