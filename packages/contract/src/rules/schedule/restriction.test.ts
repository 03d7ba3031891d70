import { describe, expect, it } from 'vitest';
import { restricted, suggestStops } from './restriction.ts';

const groups = [
  { groupUID: 'A', litresADay: 50_000 },
  { groupUID: 'B', litresADay: 30_000 },
  { groupUID: 'C', litresADay: 20_000 },
  { groupUID: 'D', litresADay: 0 },
];

describe('a restriction of 100,000 L a day', () => {
  it.each([
    ['by 20 %', 0.2, ['C']],
    // 70,000 are left: A and C, since B doesn't fit any more.
    ['by 30 %', 0.3, ['B']],
    // 40,000: B, and then C doesn't fit.
    ['by 60 %', 0.6, ['A', 'C']],
    ['by half', 0.5, ['B', 'C']],
    ['to nothing', 1, ['A', 'B', 'C']],
  ])('%s stops these', (_, share, stops) => {
    const suggested = suggestStops(groups, share);
    expect(suggested).toEqual(stops);
    expect(restricted(groups, new Set(suggested), share).isEnough).toBe(true);
  });

  it('says what is left, and that what was chosen is not enough', () => {
    expect(restricted(groups, new Set(['C']), 0.4)).toEqual({
      beforeLitres: 100_000,
      allowedLitres: 60_000,
      afterLitres: 80_000,
      isEnough: false,
    });
  });
});
