import { describe, expect, it } from 'vitest';
import { isValidTension, mmOfTips, tensionAxisMax, tensionColour, tipsOfMm } from './soil-moisture.ts';

describe('rain', () => {
  it.each([
    [0, 0],
    [1, 0.2],
    [3, 0.6],
    [37, 7.4],
  ])('%d tips are %d mm, and back', (tips, mm) => {
    expect(mmOfTips(tips)).toBe(mm);
    expect(tipsOfMm(mm)).toBeCloseTo(tips, 10);
  });
});

describe('what can be a tension', () => {
  it.each([
    [0, true],
    [200, true],
    [200.1, false],
    [-0.1, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [null, false],
    [undefined, false],
  ])('%s kPa: %s', (kpa, isTension) => {
    expect(isValidTension(kpa)).toBe(isTension);
  });
});

describe('the colour of a tension', () => {
  it.each([
    [0, 'blue'],
    [10, 'blue'],
    [10.1, 'green'],
    [20, 'green'],
    [20.1, 'salmon'],
    [30, 'salmon'],
    [50, 'salmon'],
    [50.1, 'red'],
    [200, 'red'],
  ])('of %d kPa is %s', (kpa, colour) => {
    expect(tensionColour(kpa)).toBe(colour);
  });
});

describe('the end of the axis', () => {
  it.each([
    [35, 80, 80],
    [120, null, 120],
    [null, 260, 200],
    [null, null, 200],
  ])('of peaks %s and %s is %d', (peak1, peak2, end) => {
    expect(tensionAxisMax(peak1, peak2)).toBe(end);
  });
});
