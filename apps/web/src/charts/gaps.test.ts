import { describe, expect, it } from 'vitest';
import { splitGenerated, usualStep, withGaps } from './gaps.ts';

const H = 3_600_000;

describe('a gap', () => {
  it('is where more than two and a half usual steps are missing, and nothing is drawn across it', () => {
    expect(
      withGaps([
        [0, 1],
        [H, 2],
        [2 * H, 3],
        [6 * H, 4],
        [7 * H, 5],
      ]),
    ).toEqual([
      [0, 1],
      [H, 2],
      [2 * H, 3],
      [3 * H, null],
      [6 * H, 4],
      [7 * H, 5],
    ]);
  });
  it('is not one late point', () => {
    expect(
      withGaps([
        [0, 1],
        [H, 2],
        [3 * H, 3],
        [4 * H, 4],
      ]),
    ).toHaveLength(4);
  });
});

it('takes the middle step for the usual one', () => {
  expect(usualStep([0, 10, 20, 90])).toBe(10);
  expect(usualStep([5])).toBe(0);
});

it('draws guessed points apart, from the measured point before to the one after', () => {
  const points = [10, 20, 30, 40, 50].map((value, n) => ({ at: n * H, value, generated: n === 2 }));
  const { measured, generated } = splitGenerated(points);
  expect(measured.map(([, value]) => value)).toEqual([10, 20, null, 40, 50]);
  expect(generated.map(([, value]) => value)).toEqual([null, 20, 30, 40, null]);
});

it('has no guessed line when all was measured', () => {
  expect(splitGenerated([{ at: 0, value: 1, generated: false }]).generated).toEqual([]);
});
