import { expect, test } from 'vitest';
import { hoursShare } from './hours-share.ts';

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
