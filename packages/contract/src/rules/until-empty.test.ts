import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rolled } from './rolled.ts';
import { type TankHistory, untilEmpty } from './until-empty.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-11-20T21:00:00Z');
/** 2,500 mm hold 25,000 L: 1 mm is 10 L. The diaphragm is on the floor, so that raw mm are the depth. */
const shape = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
const noPump = { isAutomatic: false, daysRun: 0 };

/** Days that end with these levels, mm, the newest yesterday at 23:45; each begins where the one before ended. */
function daysEnding(
  levels: readonly number[],
  change: (day: Rolled, index: number) => Rolled = (day) => day,
) {
  return levels.map((last, index) => {
    const first = levels[index - 1] ?? last;
    const at = now - 10 * HOUR - (levels.length - index) * DAY;
    const [low, high] = [Math.min(first, last), Math.max(first, last)];
    const moved = { falls: Math.max(0, first - last), rises: Math.max(0, last - first) };
    const times = { firstAt: at + 60_000, lastAt: at + DAY - 900_000 };
    const values = { firstValue: first, lastValue: last, min: low, max: high };
    return change({ at, n: 96, sum: 96 * last, ...moved, ...times, ...values }, index);
  });
}

const tank = (levels: readonly number[], changes: Partial<TankHistory> = {}): TankHistory => ({
  shape,
  days: daysEnding(levels),
  level: { at: now - 600_000, rawMm: levels.at(-1) ?? 0 },
  pump: noPump,
  ...changes,
});
const steady = (days: number, perDay: number, from = 2000) =>
  Array.from({ length: days }, (_, index) => from - index * perDay);

describe('days until empty', () => {
  it('are what it holds by what leaves it in a day', () => {
    // 11 days end 50 mm apart, 2,000 to 1,500 mm: 10 steps of 500 L a day; 1,500 mm are 15,000 L, 30 days.
    expect(untilEmpty(tank(steady(11, 50)), now)).toEqual({
      forecast: {
        days: 30,
        earliest: 30,
        latest: 30,
        litresPerDay: 500,
        confidence: 'high',
        basis: 'Half of the last 10 days took more than 500 L, half less; it holds about 15,000 L.',
      },
      why: '',
    });
  });

  it('have an interval from the spread of the days', () => {
    // Losses of 40, 60, 40, 60, 50 mm, so 400, 600, 400, 600, 500 L: median 500, distances 100 four times and 0, 80 in the
    // mean: deviation 80 × 1.2533 = 100.27 L. It holds 7,500 L: 15 days.
    // Half width: t(4) 1.533 × 100.27 × √(1.5708/5 + 1/15) = 153.7 × 0.61708 = 94.85 L; 19 %.
    // 7,500/594.85 = 12.6; 7,500/405.15 = 18.5.
    const found = untilEmpty(tank([1000, 960, 900, 860, 800, 750]), now).forecast;
    expect(found).toMatchObject({ days: 15, earliest: 12.6, latest: 18.5, confidence: 'medium' });
  });

  it('reach to when it is empty if use goes on growing, and are never sure then', () => {
    // Losses of 40, 42, … 66 mm, so 400 to 660 L; the newest seven differ clearly from those before: median 600 L. It holds
    // 10,000 L: 16.7 days. On the line through all, a day takes 670 L now, at the end of the newest day, and 20 L more each
    // day: 670 d + 10 d² = 10,000 gives d = 12.59. Distances 0, 20, 20, 40, 40, 60, 60: deviation 34.29 × 1.2533 = 42.97;
    // half: t(6) 1.44 × 42.97 × √(1.5708/7 + 600/10,000) = 33.0. 12.59 × 600/633 = 11.9; 16.67 × 600/567 = 17.6.
    const levels = Array.from({ length: 15 }, (_, index) => 1742 - 40 * index - index * (index - 1));
    expect(levels.at(-1)).toBe(1000);
    expect(untilEmpty(tank(levels), now).forecast).toMatchObject({
      days: 16.7,
      earliest: 11.9,
      latest: 17.6,
      confidence: 'medium',
    });
  });

  it('say that use grows where days differ besides', () => {
    // 40 to 53 mm a day, one day 8 more and the next 8 less: 1 mm and some more each day.
    const losses = [32, 49, 34, 51, 36, 53, 38, 55, 40, 57, 42, 59, 44, 61];
    const levels = [1651, ...losses.map((_, at) => 1651 - losses.slice(0, at + 1).reduce((a, b) => a + b))];
    expect(levels.at(-1)).toBe(1000);
    expect(untilEmpty(tank(levels), now).forecast).toMatchObject({
      confidence: 'medium',
      basis: expect.stringMatching(/ Use grows from day to day\.$/) as string,
    });
  });

  it('have no latest when use falls so that it may last for ever', () => {
    // Losses of 66, 64, … 40 mm: 390 L a day now, 20 L less each day; 390²/(2 × 20) = 3,800 L are all it will take.
    const levels = Array.from({ length: 15 }, (_, index) => 1742 - 66 * index + index * (index - 1));
    expect(levels.at(-1)).toBe(1000);
    expect(untilEmpty(tank(levels), now).forecast).toMatchObject({ latest: null, confidence: 'medium' });
  });

  it('are not misled by a refill in between', () => {
    // Eight days of 50 mm and one in which 1,000 mm came in: the median stays 500 L.
    const levels = [1500, 1450, 1400, 1350, 1300, 2300, 2250, 2200, 2150, 2100];
    expect(untilEmpty(tank(levels), now).forecast).toMatchObject({ days: 42, litresPerDay: 500 });
  });

  it('are those of the newest days when use has clearly changed', () => {
    // Ten days of 50 mm, then three of 100: 1,200 mm are 12,000 L, 12 days of 1,000 L. By the median of all it would be 24.
    const doubled = [...steady(11, 50, 2000), ...steady(3, 100, 1400)];
    expect(untilEmpty(tank(doubled), now).forecast).toMatchObject({
      days: 12,
      litresPerDay: 1000,
      confidence: 'low',
      basis: expect.stringMatching(
        /^Half of the last 3 days .* The days before were of another use\.$/,
      ) as string,
    });
    // Losses of 40 and 60 mm by turns, then three of 50: their medians are alike.
    const same = [1000, 960, 900, 860, 800, 760, 700, 650, 600, 550];
    expect(untilEmpty(tank(same), now).forecast?.basis).toMatch(/^Half of the last 9 days/);
  });

  it('are not of another use while it is filled over two days', () => {
    // 13 days end at 2,000 to 1,400 mm, then two with 400 mm more each, and one of 50 mm again: 21,500 L, 43 days of 500 L.
    const levels = [...steady(13, 50), 1800, 2200, 2150];
    expect(untilEmpty(tank(levels), now).forecast).toMatchObject({ days: 43, litresPerDay: 500 });
  });

  it('are told with less confidence when it was filled meanwhile', () => {
    const once = [...steady(7, 50, 1800), ...steady(7, 50, 1900)];
    expect(untilEmpty(tank(once), now).forecast).toMatchObject({ litresPerDay: 500, confidence: 'medium' });
    expect(untilEmpty(tank(once), now).forecast?.basis).toMatch(/It was filled once meanwhile\.$/);
  });

  it('are not told of a tank that a ball cock fills every few days, until it is lower than ever', () => {
    // From 2,000 mm by 50 mm a day to 1,800, then up to 2,000 within a day or two.
    const cycle = [...steady(5, 50), ...steady(5, 50), ...steady(4, 50)];
    expect(untilEmpty(tank(cycle), now).why).toBe('It is filled up again and again.');
    // The lows were 1,800 mm; 5 % below it are 1,675.
    const low = (rawMm: number) => untilEmpty(tank(cycle, { level: { at: now, rawMm } }), now);
    expect(low(1675).forecast).toBeNull();
    expect(low(1674).forecast).toMatchObject({ confidence: 'low' });
  });

  it('are not told of use so unsteady that the tank may never be empty, unless it may soon', () => {
    // Losses of 20, -60, 40, -60 and 40 mm: 200 L a day, 400 L from it in the mean. Half width of five days with many to come:
    // 1.533 × 400 × 1.2533 × √(1.5708/5) = 431 L and more. 24,200 L are 121 days, 38 at the earliest; 2,200 L 11 days.
    const unsteady = (from: number) => [0, 20, -40, 0, -60, -20].map((fall) => from - fall);
    expect(untilEmpty(tank(unsteady(2400)), now).why).toBe('It is not clearly running down.');
    expect(untilEmpty(tank(unsteady(200)), now).forecast).toMatchObject({
      days: 11,
      latest: null,
      confidence: 'low',
    });
  });

  it('are told per 24 hours over a day of 23 hours', () => {
    // The clock goes forward: the second step lasts 23 h and takes 23/24 of the others' 480 L, so the use is the same.
    const days = daysEnding([1000, 952, 906, 858, 810], (day, index) => {
      const late = index >= 2 ? 0 : HOUR;
      return { ...day, lastAt: day.lastAt + late };
    });
    const found = untilEmpty(tank([810], { days }), now).forecast;
    expect(found).toMatchObject({ litresPerDay: 480, earliest: 16.9, days: 16.9, latest: 16.9 });
  });

  it.each([
    ['its volume is not set', { shape: { ...shape, volume: 0 } }, "The tank's volume isn't set."],
    ['it never reported', { level: null }, 'The sensor has not reported yet.'],
    ['it is silent', { level: { at: now - 3 * HOUR - 1, rawMm: 1500 } }, 'The sensor is silent.'],
    ['its value is none', { level: { at: now, rawMm: null } }, "The sensor's value is invalid."],
    ['its value is far out', { level: { at: now, rawMm: 9999 } }, "The sensor's value is invalid."],
    ['a pump fills it', { pump: { isAutomatic: true, daysRun: 4 } }, 'A pump keeps it filled.'],
  ])('are not told when %s', (_what, changes, why) => {
    expect(untilEmpty(tank([2000, 1500, 2000, 1500, 2000, 1500], changes), now)).toEqual({
      forecast: null,
      why,
    });
  });

  it('are not told from fewer than three days, nor across a gap', () => {
    expect(untilEmpty(tank(steady(3, 50)), now).why).toMatch(/there are 2\.$/);
    expect(untilEmpty(tank(steady(4, 50)), now).forecast?.days).toBe(37);
    const gap = { days: daysEnding(steady(5, 50)).filter((_, index) => index !== 2) };
    expect(untilEmpty(tank([1800], gap), now).why).toMatch(/there are 2\.$/);
  });

  it('are not told of a tank that fills or stands, or would last for more than a year', () => {
    for (const levels of [steady(8, 0), steady(8, -20, 1000), steady(8, 2)])
      expect(untilEmpty(tank(levels), now).why).toBe('Its level is not falling.');
  });

  it('begin anew when the level jumped as another sensor does', () => {
    // Down by 1,000 mm (40 %) in a day, once inside the day and once between two days.
    const jumped = [2000, 1950, 1900, 900, 850, 800];
    expect(untilEmpty(tank(jumped), now).why).toMatch(/^The level jumped/);
    expect(untilEmpty(tank([...jumped, 750]), now).forecast).toMatchObject({ litresPerDay: 500, days: 15 });
    const between = daysEnding(jumped, (day, index) =>
      index === 3 ? { ...day, firstValue: 950, falls: 50, max: 950 } : day,
    );
    expect(untilEmpty(tank(jumped, { days: between }), now).why).toMatch(/^The level jumped/);
  });

  it('are told of a pump that does not keep up, and of one that has not run, with low confidence', () => {
    const falling = tank(steady(11, 100, 2000), { pump: { isAutomatic: true, daysRun: 3 } });
    expect(untilEmpty(falling, now).forecast).toMatchObject({ days: 10, confidence: 'low' });
    expect(untilEmpty(falling, now).forecast?.basis).toMatch(/doesn't keep up\.$/);
    const waiting = tank(steady(11, 50), { pump: { isAutomatic: true, daysRun: 0 } });
    expect(untilEmpty(waiting, now).forecast?.basis).toMatch(/has not run\.$/);
  });

  it('lie within their interval, whatever the days were', () => {
    const levels = fc.array(fc.integer({ min: 0, max: 2500 }), { minLength: 4, maxLength: 15 });
    fc.assert(
      fc.property(levels, (all) => {
        const { forecast, why } = untilEmpty(tank(all), now);
        if (!forecast) return why.length > 0;
        const { days, earliest, latest } = forecast;
        return earliest >= 0 && earliest <= days && (latest ?? days) >= days && Number.isFinite(days);
      }),
    );
  });
});
