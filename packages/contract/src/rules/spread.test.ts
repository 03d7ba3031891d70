import { describe, expect, it } from 'vitest';
import { deviationFrom, lineThrough, median, t80 } from './spread.ts';

describe('spread', () => {
  it('has its median in the middle, or between the middle two', () => {
    expect(median([])).toBeNull();
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it('has a deviation by the mean distance from the median', () => {
    // Distances 2, 0 and 4 from 10: 2 in the mean, times the square root of pi/2.
    expect(deviationFrom(10, [8, 10, 14])).toBeCloseTo(2 * 1.2533, 3);
    expect(deviationFrom(5, [5, 5])).toBe(0);
    expect(deviationFrom(5, [])).toBe(0);
  });

  it("knows Student's t for 80 %", () => {
    expect([t80(0), t80(2), t80(13), t80(200)]).toEqual([Number.POSITIVE_INFINITY, 1.886, 1.35, 1.3]);
  });

  it('has a line of least squares', () => {
    // Mean (2, 4); slope (−1·−3 + 0·1 + 1·2) / 2 = 2.5; off the line by −0.5, 1, −0.5: squares 1.5 over one degree of freedom.
    const line = lineThrough([
      { x: 1, y: 1 },
      { x: 2, y: 5 },
      { x: 3, y: 6 },
    ]);
    expect(line?.slope).toBeCloseTo(2.5);
    expect(line?.deviation).toBeCloseTo(Math.sqrt(1.5));
    expect(line?.slopeDeviation).toBeCloseTo(Math.sqrt(1.5) / Math.sqrt(2));
  });

  it('has no line through two points, or through points above each other', () => {
    const [a, b, c] = [
      { x: 1, y: 1 },
      { x: 1, y: 2 },
      { x: 1, y: 5 },
    ];
    expect(lineThrough([a, b])).toBeNull();
    expect(lineThrough([a, b, c])).toBeNull();
  });
});
