import { describe, expect, it } from 'vitest';
import type { Point } from './gaps.ts';
import { alignSeries, loneDots, stackEdges, stackPeak } from './stacked.ts';

const H = 3_600_000;
const rows = (...values: (number | null)[][]) => values.map((each, n) => ({ at: n * H, values: each }));
const hours = (points: readonly Point[] | undefined) => points?.map(([at, value]) => [at / H, value]);

describe('stacked areas', () => {
  it('lie one on the other', () => {
    const [lower, upper] = stackEdges(rows([1, 10], [2, 20], [3, 30]));
    expect(hours(lower)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(hours(upper)).toEqual([
      [0, 11],
      [1, 22],
      [2, 33],
    ]);
  });

  it('have a gap where one is silent, and the one above falls by a step to its own value', () => {
    const [lower, upper] = stackEdges(rows([1, 10], [2, 20], [null, 30], [4, 40], [5, 50]));
    // The lower one is known from 0 to 1 h and from 3 to 4 h. From 1 to 3 h the upper one stands alone: 20, 30, 40.
    expect(hours(lower)).toEqual([
      [0, 1],
      [1, 2],
      [1, null],
      [3, 4],
      [4, 5],
    ]);
    expect(hours(upper)).toEqual([
      [0, 11],
      [1, 22],
      [1, 20],
      [2, 30],
      [3, 40],
      [3, 44],
      [4, 55],
    ]);
  });

  it('have a gap where all are silent', () => {
    const silent = [...rows([1], [2], [3]), { at: 9 * H, values: [4] }, { at: 10 * H, values: [5] }];
    expect(hours(stackEdges(silent)[0])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [2, null],
      [9, 4],
      [10, 5],
    ]);
  });

  it('peak where the sum of what is known is highest', () => {
    expect(stackPeak(rows([1, 5], [2, null], [3, 4]))).toBe(7);
    expect(stackPeak([])).toBe(0);
  });

  it('show a value between two silences as a dot on the sum beneath it', () => {
    const dots = loneDots(rows([5, null], [5, 2], [5, null]));
    expect(dots.map(hours)).toEqual([[], [[1, 7]]]);
  });
});

describe('series on one row of times', () => {
  it('keep what they say at each time', () => {
    expect(
      alignSeries([
        [
          [0, 1],
          [H, null],
        ],
        [[H, 7]],
      ]),
    ).toEqual(rows([1, null], [null, 7]));
  });

  it('bridge one late point, and no longer silence', () => {
    const other = Array.from({ length: 11 }, (_, n): Point => [n * H, 0]);
    // Steps of 1, 1, 2, 1, 1 and 4 h: the usual one is 1 h, and 4 h are a gap.
    const late: Point[] = [0, 1, 2, 4, 5, 6, 10].map((hour) => [hour * H, hour * 10]);
    expect(alignSeries([late, other]).map(({ values }) => values[0])).toEqual([
      0,
      10,
      20,
      30,
      40,
      50,
      60,
      null,
      null,
      null,
      100,
    ]);
  });
});
