import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleDayOf, type OffsetAt, wateringStart } from './watering-start.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const dayOf = (date: string) => Date.parse(date) / DAY;
const iso = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z');
const clock = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** A zone whose clock was `before` minutes ahead of UTC and is `after` from a moment on. */
const changing =
  (at: string, before: number, after: number): OffsetAt =>
  (now) =>
    (now < Date.parse(at) ? before : after) * MINUTE;

// Clock changes of 2026, as the governments publish them.
const auckland = {
  spring: changing('2026-09-26T14:00Z', 720, 780),
  autumn: changing('2026-04-04T14:00Z', 780, 720),
};
const chathams = {
  spring: changing('2026-09-26T14:00Z', 765, 825),
  autumn: changing('2026-04-04T14:00Z', 825, 765),
};
const sydney = {
  spring: changing('2026-10-03T16:00Z', 600, 660),
  autumn: changing('2026-04-04T16:00Z', 660, 600),
};
const lordHowe = {
  spring: changing('2026-10-03T15:30Z', 630, 660),
  autumn: changing('2026-04-04T15:00Z', 660, 630),
};
const brisbane: OffsetAt = () => 600 * MINUTE;

describe('a watering begins when the clock first shows its start or later', () => {
  it.each([
    // New Zealand: 02:00 becomes 03:00.
    ['New Zealand, before the skipped hour', auckland.spring, '2026-09-27', '01:59', '2026-09-26T13:59Z'],
    ['New Zealand, the first skipped minute', auckland.spring, '2026-09-27', '02:00', '2026-09-26T14:00Z'],
    ['New Zealand, in the skipped hour', auckland.spring, '2026-09-27', '02:30', '2026-09-26T14:00Z'],
    ['New Zealand, the last skipped minute', auckland.spring, '2026-09-27', '02:59', '2026-09-26T14:00Z'],
    ['New Zealand, after the skipped hour', auckland.spring, '2026-09-27', '03:00', '2026-09-26T14:00Z'],
    ['New Zealand, later that day', auckland.spring, '2026-09-27', '03:01', '2026-09-26T14:01Z'],
    // 03:00 becomes 02:00.
    ['New Zealand, before the doubled hour', auckland.autumn, '2026-04-05', '01:59', '2026-04-04T12:59Z'],
    ['New Zealand, in the doubled hour', auckland.autumn, '2026-04-05', '02:30', '2026-04-04T13:30Z'],
    ['New Zealand, after the doubled hour', auckland.autumn, '2026-04-05', '03:00', '2026-04-04T15:00Z'],
    // 02:00 becomes 03:00, an hour of Sydney's.
    ['New South Wales, in the skipped hour', sydney.spring, '2026-10-04', '02:30', '2026-10-03T16:00Z'],
    ['New South Wales, in the doubled hour', sydney.autumn, '2026-04-05', '02:30', '2026-04-04T15:30Z'],
    ['New South Wales, after the doubled hour', sydney.autumn, '2026-04-05', '03:10', '2026-04-04T17:10Z'],
    // 02:00 becomes 02:30; 02:00 becomes 01:30.
    ['Lord Howe, in the skipped half hour', lordHowe.spring, '2026-10-04', '02:15', '2026-10-03T15:30Z'],
    ['Lord Howe, after the skipped half hour', lordHowe.spring, '2026-10-04', '02:30', '2026-10-03T15:30Z'],
    ['Lord Howe, in the doubled half hour', lordHowe.autumn, '2026-04-05', '01:45', '2026-04-04T14:45Z'],
    ['Lord Howe, after the doubled half hour', lordHowe.autumn, '2026-04-05', '02:00', '2026-04-04T15:30Z'],
    // 02:45 becomes 03:45.
    ['the Chathams, before the skipped hour', chathams.spring, '2026-09-27', '02:30', '2026-09-26T13:45Z'],
    ['the Chathams, in the skipped hour', chathams.spring, '2026-09-27', '03:00', '2026-09-26T14:00Z'],
    ['the Chathams, in the doubled hour', chathams.autumn, '2026-04-05', '03:30', '2026-04-04T13:45Z'],
    ['Queensland, where no clock changes', brisbane, '2026-10-04', '02:30', '2026-10-03T16:30Z'],
  ])('%s', (_name, offsetAt, day, start, expected) => {
    expect(iso(wateringStart(offsetAt, dayOf(day), clock(start)))).toBe(expected);
  });

  /** Minute by minute, as a unit's own clock would find it. */
  function byWatching(offsetAt: OffsetAt, day: number, minute: number): number {
    let at = day * DAY - 16 * 60 * MINUTE;
    while (at + offsetAt(at) < day * DAY + minute * MINUTE) at += MINUTE;
    return at;
  }

  it('whatever the zone and however its clock moves', () => {
    const quarter = 15;
    const zone = fc
      .record({
        before: fc.integer({ min: -44, max: 56 }).map((quarters) => quarters * quarter),
        by: fc.constantFrom(-60, -30, 30, 60),
        at: fc.integer({ min: -40 * 4, max: 40 * 4 }).map((quarters) => quarters * quarter),
      })
      .map(({ before, by, at }) => ({ before, after: before + by, at }));
    const day = dayOf('2026-04-05');
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 1439 }), ({ before, after, at }, minute) => {
        const change = new Date(day * DAY + at * MINUTE).toISOString();
        const offsetAt = changing(change, before, after);
        expect(wateringStart(offsetAt, day, minute)).toBe(byWatching(offsetAt, day, minute));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the day of a cycle', () => {
  it.each([
    // 1970-01-01 is day 0; 2026-04-05 is day 20,548.
    [0, 3, 1],
    [1, 3, 2],
    [2, 3, 3],
    [3, 3, 1],
    [20_548, 1, 1],
    [20_548, 2, 1],
    [20_549, 2, 2],
    [20_548, 7, 4],
    [-1, 3, 3],
  ])('of day %d in a cycle of %d is %d', (day, length, expected) => {
    expect(dayOf('2026-04-05')).toBe(20_548);
    expect(cycleDayOf(day, length)).toBe(expected);
  });
});
