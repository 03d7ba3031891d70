import { describe, expect, it } from 'vitest';
import { defaultStressBands } from '../default-settings.ts';
import { isValidTension, mmOfTips, tensionAxisMax, tensionLook, tipsOfMm } from './soil-moisture.ts';

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

describe('how a tension is shown', () => {
  it.each([
    [0, '#07369e', 'Too full'],
    [17, '#2c7ed6', 'Full'],
    [59, '#09a509', 'Normal'],
    [60, '#f99b18', 'Refill'],
    [100, '#eb2d17', 'Stress'],
  ])('%d kPa has the colour and the word of its band', (kpa, colour, label) => {
    expect(tensionLook(defaultStressBands, kpa)).toEqual({ colour, label });
  });

  const dry = [{ idx: 3, name: 'Refill', start: 60, color: '#123456' }];
  it.each([
    [10, '#1769d2'],
    [10.1, '#1b7f3b'],
    [20, '#1b7f3b'],
    [20.1, '#d8654f'],
    [50, '#d8654f'],
    [50.1, '#c8202f'],
  ])('%d kPa, which none of the bands holds, has a colour and no word', (kpa, colour) => {
    expect(tensionLook(dry, kpa)).toEqual({ colour, label: null });
  });
});

describe('the end of the axis', () => {
  const upTo = (start: number) => [{ start: 0 }, { start }];
  it.each([
    // A wet soil: all bands are in sight, and the last one's name.
    [17, upTo(100), 115],
    [133, upTo(100), 133],
    [260, upTo(100), 200],
    [40, upTo(200), 200],
    [35, [], 35],
    [null, upTo(100), 200],
  ])('of a peak of %s over bands %j is %d', (peak, bands, end) => {
    expect(tensionAxisMax(peak, bands)).toBe(end);
  });
});
