import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SoilHour, untilRefill } from './until-refill.ts';

const HOUR = 3_600_000;
const now = Date.parse('2026-11-20T21:00:00Z');
const REFILL = 60;

/** One hour for each number from `count - 1` hours ago on. */
const site = (
  count: number,
  kpa: (hour: number) => readonly (number | null)[],
  rainMm = (_hour: number) => 0,
) =>
  Array.from(
    { length: count },
    (_, hour): SoilHour => ({ at: now - (count - 1 - hour) * HOUR, kpa: kpa(hour), rainMm: rainMm(hour) }),
  );
const refill = (hours: readonly SoilHour[]) => untilRefill(hours, REFILL, now);

describe('days until a site is at its refill point', () => {
  it('follow a tension that doubles in three days', () => {
    // 15 kPa doubled in 72 h is 30 kPa, and doubles again in three more days. ln 2 / 3 × 30 = 6.9 kPa a day now.
    const { forecast } = refill(site(73, (hour) => [15 * 2 ** (hour / 72)]));
    expect(forecast).toEqual({
      days: 3,
      earliest: 3,
      latest: 3,
      kpaNow: 30,
      kpaPerDay: 6.9,
      refillKpa: 60,
      confidence: 'high',
      basis: 'A growing curve through 72 hours of drying, 30 kPa now.',
    });
  });

  it('follow a straight line under two days of drying', () => {
    // From 36 kPa by 0.5 kPa an hour to 48 in 24 h; the 12 kPa left take 24 h.
    expect(refill(site(25, (hour) => [36 + hour / 2])).forecast).toMatchObject({
      days: 1,
      kpaPerDay: 12,
      confidence: 'low',
      basis: 'A straight line through 24 hours of drying, 48 kPa now.',
    });
  });

  it('follow a straight line where the hours lie on one, however long it has dried', () => {
    // By a quarter kPa an hour from 20 to 44 in 96 h; the 16 kPa left take 64 h. A growing curve would say less than two days.
    expect(refill(site(97, (hour) => [20 + hour / 4])).forecast).toMatchObject({
      days: 2.7,
      earliest: 2.7,
      latest: 2.7,
      basis: 'A straight line through 72 hours of drying, 44 kPa now.',
    });
  });

  it('span what both curves say where hours lie off both', () => {
    // Doubling in five days, and 1.5 kPa up and down by turns.
    const { forecast } = refill(site(97, (hour) => [20 * 2 ** (hour / 120) + (hour % 2 ? 1.5 : -1.5)]));
    // 33.3 kPa now: growing by ln 2 / 5 a day it takes 4.2 days; straight, by 3.9 kPa a day, 6.8.
    expect(forecast?.days).toBeLessThan(5);
    expect(forecast?.latest).toBeGreaterThan(6.5);
  });

  it('are those of the average, and the driest sensor makes them earlier', () => {
    // 20 and 40 by 0.5 kPa an hour to 32 and 52 in 24 h: the average, 42, has 18 kPa to go, 1.5 days; the driest 8 kPa.
    const { forecast } = refill(site(25, (hour) => [20 + hour / 2, 40 + hour / 2]));
    expect(forecast).toMatchObject({ days: 1.5, earliest: 0.7, kpaNow: 42 });
  });

  it('count from the rain that wetted it', () => {
    // 60 hours; 2 mm in the 20th, after which 20 kPa grow by 0.5 an hour to 39.5 in 39 h: 20.5 kPa to go, 1.7 days.
    const hours = site(
      60,
      (hour) => [hour < 20 ? 20 : 20 + (hour - 20) / 2],
      (hour) => (hour === 20 ? 2 : 0),
    );
    expect(refill(hours).forecast).toMatchObject({ days: 1.7, kpaPerDay: 12 });
    expect(refill(hours).forecast?.basis).toContain('39 hours of drying');
  });

  it('count from irrigation, which shows as a fall of 30 % or 10 kPa that goes on for hours', () => {
    // 50 kPa, then 40, 30 and 20 in three hours, then 0.5 an hour for 30 h: 35 kPa, 25 to go, 2.1 days.
    const kpa = (hour: number) => [hour < 30 ? 50 : Math.max(50 - 10 * (hour - 29), 20 + (hour - 32) / 2)];
    expect(refill(site(63, kpa)).forecast).toMatchObject({ days: 2.1, kpaNow: 35, kpaPerDay: 12 });
  });

  it('count from where it was wettest, when water comes in slowly', () => {
    // From 50 kPa by 3 an hour to 20, then 0.5 an hour for 30 h: 35 kPa, 25 to go, 2.1 days at 12 a day.
    const kpa = (hour: number) => [Math.max(50 - 3 * hour, 20 + (hour - 10) / 2)];
    const { forecast } = refill(site(41, kpa));
    expect(forecast).toMatchObject({ days: 2.1, earliest: 2.1, latest: 2.1, kpaPerDay: 12 });
    expect(forecast?.basis).toContain('30 hours of drying');
  });

  it('are those of the hours in which every sensor read: an average of fewer would jump', () => {
    // As the average of two sensors above; the drier one misses every fourth hour.
    const hours = site(25, (hour) => [20 + hour / 2, hour % 4 === 1 ? null : 40 + hour / 2]);
    expect(refill(hours).forecast).toMatchObject({ days: 1.5, latest: 1.5, kpaNow: 42, kpaPerDay: 12 });
  });

  it('have an interval as wide as the hours lie off the line', () => {
    const swinging = site(97, (hour) => [20 * 2 ** (hour / 96) + 3 * Math.sin((2 * Math.PI * hour) / 24)]);
    const { forecast } = refill(swinging);
    expect(forecast?.earliest).toBeLessThan(forecast?.days ?? 0);
    expect(forecast?.latest).toBeGreaterThan(forecast?.days ?? 0);
  });

  it('are none when the site is there', () => {
    expect(refill(site(30, (hour) => [50 + hour])).forecast).toMatchObject({
      days: 0,
      earliest: 0,
      latest: 0,
    });
    expect(refill(site(1, () => [60])).forecast?.days).toBe(0);
  });

  it.each([
    ['it was wetted lately', site(40, (hour) => [hour < 30 ? 50 : 20 + hour / 10]), /^It was wetted lately/],
    ['there are too few hours', site(73, (h) => [h % 7 ? null : 15 + h / 8]), /^Too few readings/],
    ['it gets no drier', site(73, (hour) => [40 - hour / 24]), /^The tension is not rising/],
    ['every probe stands still', site(73, () => [22, 25]), /^The tension is not rising/],
    ['it dries by 2 kPa in a month', site(73, (hour) => [20 + hour / 360]), /^It dries so slowly/],
    ['no probe reads a tension', site(73, () => [null, 250, -5, Number.NaN]), /^No sensor of the site/],
    ['it is silent', site(73, (h) => [15 + h / 4]).slice(0, -5), /^The site is silent/],
    ['it never reported', [], /^The site is silent/],
  ])('are not told when %s', (_what, hours, why) => {
    expect(refill(hours)).toEqual({ forecast: null, why: expect.stringMatching(why) });
  });

  it('leave out a probe that reads no tension now, and keep one that stands still', () => {
    const broken = site(73, (hour) => [15 * 2 ** (hour / 72), hour > 60 ? 250 : 20]);
    expect(refill(broken).forecast).toMatchObject({ days: 3, kpaNow: 30, confidence: 'high' });
    const still = refill(site(73, (hour) => [15 * 2 ** (hour / 72), 20])).forecast;
    expect(still).toMatchObject({ kpaNow: 25, confidence: 'low' });
    expect(still?.basis).toMatch(/One sensor has not moved meanwhile\.$/);
  });

  it('lie within their interval, whatever the tension did', () => {
    const tension = fc.array(fc.double({ min: 0, max: 59, noNaN: true }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(tension, (all) => {
        const { forecast, why } = refill(site(all.length, (hour) => [all[hour] ?? null]));
        if (!forecast) return why.length > 0;
        const { days, earliest, latest } = forecast;
        return earliest >= 0 && earliest <= days && (latest ?? days) >= days;
      }),
    );
  });
});
