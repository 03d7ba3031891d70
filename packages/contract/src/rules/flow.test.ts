import { describe, expect, it } from 'vitest';
import {
  flowFactors,
  flowHistoryAxisMax,
  flowUnitAxisMax,
  flowUnits,
  flowValue,
  isValidFlow,
} from './flow.ts';

describe('a flow in the units that people ask for', () => {
  // 2.5 L/s × 3600 s = 9000 L/h; × 86,400 s = 216,000 L = 216 m³ a day.
  it.each([
    [0, 0, 0],
    [1, 3600, 86.4],
    [2.5, 9000, 216],
  ])('%d L/s is %d L/h and %d m³/day', (lps, lph, m3pd) => {
    expect(flowValue(lps)).toEqual({ litresPerSecond: lps, litresPerHour: lph, cubicMetresDay: m3pd });
  });

  it('has three, each with its name and its factor', () => {
    expect(flowUnits).toEqual({ Lps: 'lps', Lph: 'lph', CubMeterPerday: 'm3pd' });
    expect(flowFactors).toEqual({ lps: 1, lph: 3600, m3pd: 86.4 });
  });

  it('is unknown in all of them when it is unknown', () => {
    expect(flowValue(null)).toEqual({ litresPerSecond: null, litresPerHour: null, cubicMetresDay: null });
  });
});

describe('what can be a flow', () => {
  it.each([
    [0, true],
    [100_000, true],
    [100_000.1, false],
    [-0.1, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [null, false],
  ])('%s L/min: %s', (lpm, isFlow) => {
    expect(isValidFlow(lpm)).toBe(isFlow);
  });
});

describe('the end of the axis', () => {
  it('of a unit is ten times its factor', () => {
    expect((['lps', 'lph', 'm3pd'] as const).map(flowUnitAxisMax)).toEqual([10, 36_000, 864]);
  });

  it.each([
    [0, 10],
    [9, 10],
    [9.1, 20],
    [43, 50],
    [90, 100],
    [91, 110],
  ])('of a history that peaks at %d is %d', (peak, end) => {
    expect(flowHistoryAxisMax(peak)).toBe(end);
  });
});
