import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Giving, peakOf } from './planned-peak.ts';

const giving = (unit: string, from: number, to: number, isSure = true, lps = 4): Giving => ({
  unit,
  lps,
  from,
  to,
  isSure,
});

test.each<[string, Giving[], number, number]>([
  ['nothing', [], 0, 0],
  ['one after the other', [giving('a', 0, 10), giving('b', 10, 20)], 4, 4],
  ['two beside each other', [giving('a', 0, 11), giving('b', 10, 20)], 8, 8],
  ['one of them not surely', [giving('a', 0, 11), giving('b', 10, 20, false)], 4, 8],
  ['one that is open and planned as well', [giving('a', 0, 30), giving('a', 10, 20)], 4, 4],
  ['one that is open without an end', [giving('a', 0, Infinity), giving('b', 10, 20)], 8, 8],
  [
    'two that were over before it is asked for',
    [giving('a', 0, 5), giving('b', 0, 5), giving('c', 6, 9)],
    4,
    4,
  ],
])('the most of %s', (_, givings, sure, all) => {
  expect(peakOf(givings, 5)).toEqual({ sure, all });
});

test('is what a count at each beginning finds', () => {
  const any = fc.array(
    fc.record({
      unit: fc.constantFrom('a', 'b', 'c', 'd'),
      from: fc.integer({ min: 0, max: 30 }),
      long: fc.integer({ min: 1, max: 20 }),
      isSure: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(any, (some) => {
      const givings = some.map(({ unit, from, long, isSure }) => giving(unit, from, from + long, isSure, 1));
      const at = (time: number) =>
        new Set(givings.filter(({ from, to }) => from <= time && time < to).map(({ unit }) => unit)).size;
      const most = Math.max(0, ...Array.from({ length: 55 }, (_, time) => at(time)));
      expect(peakOf(givings, 0).all).toBe(most);
    }),
  );
});
