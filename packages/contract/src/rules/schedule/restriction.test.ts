import { describe, expect, it } from 'vitest';
import { restricted, suggestStops } from './restriction.ts';

const uses = [
  { groupUIDs: ['A'], litresADay: 50_000 },
  { groupUIDs: ['B'], litresADay: 30_000 },
  { groupUIDs: ['C'], litresADay: 20_000 },
  { groupUIDs: ['D'], litresADay: 0 },
];
const groups = ['A', 'B', 'C', 'D'];

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
    const suggested = suggestStops(groups, uses, share);
    expect(suggested).toEqual(stops);
    expect(restricted(uses, new Set(suggested), share).isEnough).toBe(true);
  });

  it('says what is left, and that what was chosen is not enough', () => {
    expect(restricted(uses, new Set(['C']), 0.4)).toEqual({
      beforeLitres: 100_000,
      allowedLitres: 60_000,
      afterLitres: 80_000,
      isEnough: false,
    });
  });
});

describe('two groups of 40,000 L a day and one that has the sprinklers of both', () => {
  const both = [
    { groupUIDs: ['All', 'North'], litresADay: 40_000 },
    { groupUIDs: ['All', 'South'], litresADay: 40_000 },
  ];
  const inOrder = ['All', 'North', 'South'];

  it.each([
    // 40,000 are left.
    ['by half', 0.5, ['South'], 40_000],
    // 32,000: neither fits.
    ['by 60 %', 0.6, ['North', 'South'], 0],
    ['to nothing', 1, ['All', 'North', 'South'], 0],
  ])('are restricted %s: each sprinkler counts once', (_, share, stops, afterLitres) => {
    const suggested = suggestStops(inOrder, both, share);
    expect(suggested).toEqual(stops);
    expect(restricted(both, new Set(suggested), share)).toMatchObject({ beforeLitres: 80_000, afterLitres });
  });

  it('all stop with the one that has them all', () => {
    expect(restricted(both, new Set(['All']), 0.5)).toMatchObject({ afterLitres: 0, isEnough: true });
  });
});
