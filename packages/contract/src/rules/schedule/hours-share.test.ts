import { describe, expect, it, test } from 'vitest';
import { hoursShare, hoursToLeave, minutesIn, windyHours } from './hours-share.ts';

/** 21:00 to 07:00. */
const night = { fromMin: 1260, toMin: 420 };

test('of a line of 280 minutes from 18:00 on, 100 lie in the night rate; from 21:00 on all would', () => {
  const flow = [
    { fromMin: 0, lps: 0 },
    { fromMin: 1080, lps: 4 },
    { fromMin: 1360, lps: 0 },
  ];
  const found = hoursShare(flow, 1440, 1080, night);
  expect(found?.share).toBeCloseTo(100 / 280);
  expect([found?.startMin, found?.shareThen]).toEqual([1260, 1]);
});

test('what runs in them already asks for no other start, nor does what no start brings in', () => {
  const inside = [
    { fromMin: 0, lps: 8 },
    { fromMin: 300, lps: 0 },
  ];
  expect(hoursShare(inside, 1440, 0, night)).toEqual({ share: 1, startMin: null, shareThen: 1 });
  const always = [{ fromMin: 0, lps: 4 }];
  expect(hoursShare(always, 2880, 0, night)).toMatchObject({ share: 600 / 1440, startMin: null });
});

test('litres count, not minutes: the second day of a cycle draws twice as much by day', () => {
  const flow = [
    { fromMin: 0, lps: 4 },
    { fromMin: 60, lps: 0 },
    { fromMin: 1440 + 720, lps: 8 },
    { fromMin: 1440 + 780, lps: 0 },
  ];
  expect(hoursShare(flow, 2880, 0, night)?.share).toBeCloseTo(1 / 3);
});

test('without water there is no share', () => {
  expect(hoursShare([{ fromMin: 0, lps: 0 }], 1440, 0, night)).toBeNull();
});

test('of several rounds a day all count: one of two rounds of an hour lies in the night', () => {
  const flow = [
    { fromMin: 0, lps: 4 },
    { fromMin: 60, lps: 0 },
  ];
  expect(hoursShare(flow, 720, 0, night)?.share).toBe(0.5);
});

test('a line from 12:00 to 16:00 in wind from 13:00 to 18:00 leaves it when it begins at 18:00', () => {
  const flow = [
    { fromMin: 0, lps: 0 },
    { fromMin: 720, lps: 4 },
    { fromMin: 960, lps: 0 },
  ];
  const wind = [{ fromMin: 780, toMin: 1080 }];
  expect(hoursToLeave(flow, 1440, 720, wind)).toEqual({ share: 0.75, startMin: 1080, shareThen: 0 });
  // Around the clock there is no start that leaves it.
  const always = [{ fromMin: 0, lps: 4 }];
  expect(hoursToLeave(always, 1440, 0, wind)).toMatchObject({ startMin: null, share: 300 / 1440 });
  expect(hoursToLeave([{ fromMin: 0, lps: 0 }], 1440, 0, wind)).toBeNull();
});

test('windy hours are those above 20 km/h, together where they follow one another, also over midnight', () => {
  const kmh = (windy: readonly number[]) =>
    Array.from({ length: 24 }, (_, hour) => (windy.includes(hour) ? 21 : 20));
  expect(windyHours(kmh([]))).toEqual([]);
  expect(windyHours(kmh([13, 14, 15]))).toEqual([{ fromMin: 780, toMin: 960 }]);
  expect(windyHours(kmh([0, 9, 22, 23]))).toEqual([
    { fromMin: 540, toMin: 600 },
    { fromMin: 1320, toMin: 60 },
  ]);
  expect(windyHours(Array<number>(24).fill(30))).toEqual([{ fromMin: 0, toMin: 1440 }]);
});

describe('the minutes of a watering that lie in some hours', () => {
  const night = { fromMin: 1260, toMin: 420, why: '' };
  it.each([
    // 21:00 to 07:00.
    [night, 1200, 120, 60],
    [night, 360, 120, 60],
    [night, 480, 60, 0],
    [night, 0, 1440, 600],
    [night, 1300, 400, 400],
    [night, 1300, 1440, 600],
    [{ fromMin: 60, toMin: 120, why: '' }, 90, 60, 30],
    [{ fromMin: 0, toMin: 1440, why: '' }, 90, 60, 60],
    [{ fromMin: 300, toMin: 300, why: '' }, 90, 60, 60],
  ])('%j, from minute %d for %d: %d', (hours, start, minutes, expected) => {
    expect(minutesIn(hours, start, minutes)).toBe(expected);
  });
});
