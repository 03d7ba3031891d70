import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batteryForecast, type DayCharge } from './battery-forecast.ts';

/** Of the days before day 21, the oldest first. */
const daysOf = (lowest: readonly number[]): DayCharge[] =>
  lowest.map((value, index) => ({ day: 21 - lowest.length + index, lowest: value }));
const line = (count: number, first: number, perDay: number) =>
  Array.from({ length: count }, (_, index) => first + perDay * index);
const of = (lowest: readonly number[], threshold = 50) => batteryForecast(daysOf(lowest), threshold, 21);

describe('how long a battery lasts', () => {
  it('is what is left by the rate of an even fall', () => {
    // 80 to 60 in 20 days: 59 on the 21st, 9 above the threshold.
    expect(of(line(21, 80, -1))).toEqual({
      perDay: -1,
      days: 9,
      earliest: 9,
      latest: 9,
      confidence: 'good',
    });
    // 95 to 90.5 in 9 days: 90 on the 21st, 40 above at half a percent a day.
    expect(of(line(10, 95, -0.5))).toMatchObject({ perDay: -0.5, days: 80, confidence: 'low' });
    expect(of(line(14, 95, -0.5))).toMatchObject({ days: 76, confidence: 'fair' });
  });

  it('is not moved by a few odd days', () => {
    const odd = line(21, 80, -1).map((value, index) => (index === 4 || index === 13 ? 20 : value));
    expect(of(odd)).toMatchObject({ perDay: -1, days: 9 });
  });

  it('is told by whole days, with the rates of the middle half as its range', () => {
    // Each second day 2 % higher: 81, 78, 79, 76, 77 … falls by 1 % a day.
    const wavy = line(21, 80, -1).map((value, index) => value + (index % 2 === 0 ? 1 : -1));
    const found = of(wavy);
    expect(found?.perDay).toBeCloseTo(-1, 6);
    expect(found?.earliest).toBeLessThanOrEqual(found?.days ?? 0);
    expect(found?.latest).toBeGreaterThanOrEqual(found?.days ?? 0);
  });

  it.each([
    ['rises', line(21, 60, 0.5)],
    ['stands still', line(21, 70, 0)],
    ['was heard on nine days', line(9, 80, -1)],
    ['is below the threshold already', line(21, 60, -1)],
    ['lasts longer than a year', line(21, 90, -0.1)],
    // Full every other week and back: as much up as down.
    [
      'goes up and down',
      [80, 60, 78, 62, 81, 59, 80, 61, 79, 60, 80, 58, 81, 61, 79, 60, 80, 60, 78, 61, 79],
    ],
  ])('is not told of one that %s', (_what, lowest) => {
    expect(of(lowest)).toBeNull();
  });

  it('counts the last 21 whole days alone', () => {
    const days = daysOf(line(21, 80, -1));
    const more = [{ day: -1, lowest: 3 }, ...days, { day: 21, lowest: 2 }];
    expect(batteryForecast(more, 50, 21)).toEqual(batteryForecast(days, 50, 21));
  });
});

describe('always', () => {
  const charges = fc.array(fc.double({ min: 0, max: 110, noNaN: true }), { minLength: 0, maxLength: 21 });

  it('a fall, in order, within a year, or nothing', () => {
    fc.assert(
      fc.property(charges, fc.integer({ min: 1, max: 99 }), (lowest, threshold) => {
        const found = of(lowest, threshold);
        if (!found) return;
        expect(lowest.length).toBeGreaterThanOrEqual(10);
        expect(found.perDay).toBeLessThan(0);
        expect(found.days).toBeGreaterThanOrEqual(0);
        expect(found.days).toBeLessThanOrEqual(365);
        expect(found.earliest).toBeLessThanOrEqual(found.days);
        expect(found.latest ?? Infinity).toBeGreaterThanOrEqual(found.days);
      }),
    );
  });

  it('the same in any order of days, on any calendar', () => {
    fc.assert(
      fc.property(charges, fc.integer({ min: 0, max: 30_000 }), (lowest, shift) => {
        const days = daysOf(lowest);
        const moved = days
          .map(({ day, lowest: value }) => ({ day: day + shift, lowest: value }))
          .toReversed();
        expect(batteryForecast(moved, 50, 21 + shift)).toEqual(batteryForecast(days, 50, 21));
      }),
    );
  });

  it('nothing of one that never falls', () => {
    fc.assert(
      fc.property(charges, (lowest) => {
        expect(of(lowest.toSorted((one, other) => one - other))).toBeNull();
      }),
    );
  });

  it('no later for a higher threshold', () => {
    fc.assert(
      fc.property(charges, fc.integer({ min: 1, max: 49 }), (lowest, threshold) => {
        const [low, high] = [of(lowest, threshold), of(lowest, threshold + 50)];
        if (low && high) expect(high.days).toBeLessThanOrEqual(low.days);
      }),
    );
  });
});
