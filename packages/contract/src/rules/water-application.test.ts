import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultWaterApplication, type WaterApplication } from '../farms.ts';
import {
  validateWater,
  coverageOf,
  depthOf,
  millimetresPerMinute,
  minutesOf,
  withDepth,
  withDuration,
  withSprinkler,
} from './water-application.ts';

const design = { type: 'SystemDesign', sprinklerFlow: 4, sprinklerCoverage: 1400 } as const;
const sprinkler = { type: 'SprinklerParameters', sprinklerFlow: 4, sprinklerCoverage: 1400 } as const;

describe('rate', () => {
  // 4 × 8.620428 × 7.2 / 1440 = 34.481712 × 0.005; and 240 L a minute over 1,400 m².
  it.each([
    [design, 0.17240856],
    [sprinkler, 0.171428571],
    [{ ...design, sprinklerFlow: 2 }, 0.08620428],
    [{ ...sprinkler, sprinklerFlow: 2, sprinklerCoverage: 700 }, 0.171428571],
    // Its spacing is in the constants.
    [{ ...design, sprinklerCoverage: 10 }, 0.17240856],
  ])('of %o is %d mm a minute', (config, rate) => {
    expect(millimetresPerMinute(config)).toBeCloseTo(rate, 8);
  });
});

describe('a rate of whatever is set', () => {
  const number = fc.double({ min: 0, max: 1e6, noNaN: true });
  const water = fc.record({
    type: fc.constantFrom('SystemDesign' as const, 'SprinklerParameters' as const),
    sprinklerFlow: number,
    sprinklerCoverage: fc.oneof(fc.constant(0), fc.constant(Number.MIN_VALUE), number),
  });

  it('is a number, and so are the minutes of a depth and the depth of minutes', () => {
    fc.assert(
      fc.property(water, fc.integer({ min: 1, max: 1440 }), (config, amount) => {
        const rate = millimetresPerMinute(config);
        expect(Number.isFinite(rate) && rate >= 0).toBe(true);
        expect(Number.isFinite(depthOf(config, amount))).toBe(true);
        expect(Number.isFinite(minutesOf(config, amount))).toBe(true);
      }),
    );
  });

  it('is none of a sprinkler that covers no area', () => {
    expect(millimetresPerMinute({ ...sprinkler, sprinklerCoverage: 0 })).toBe(0);
    expect(millimetresPerMinute({ ...sprinkler, sprinklerFlow: 0, sprinklerCoverage: 0 })).toBe(0);
  });
});

describe('depth from minutes, rounded', () => {
  it.each([
    [design, 30, 5], // 5.17
    [design, 28, 5], // 4.83
    [design, 26, 4], // 4.48
    [design, 27, 5], // 4.66
    [design, 60, 10], // 10.34
    [design, 720, 124], // 124.13
    [design, 1, 1], // 0.17, and never less than 1
    [sprinkler, 30, 5], // 5.14
    [sprinkler, 28, 5], // 4.80
    [sprinkler, 26, 4], // 4.46
    [sprinkler, 60, 10], // 10.29
    [sprinkler, 720, 123], // 123.43
    [sprinkler, 2, 1],
  ])('%o: %d min are %d mm', (config, minutes, depth) => {
    expect(depthOf(config, minutes)).toBe(depth);
  });
});

describe('minutes from depth, rounded up', () => {
  it.each([
    [design, 5, 30], // 29.0008
    [design, 1, 6], // 5.80
    [design, 10, 59], // 58.0017
    [design, 25, 146], // 145.004
    [sprinkler, 5, 30], // 29.17
    [sprinkler, 1, 6], // 5.83
    [sprinkler, 10, 59], // 58.33
    [sprinkler, 12, 70], // 70 exactly
    [{ ...sprinkler, sprinklerFlow: 100, sprinklerCoverage: 100 }, 5, 1], // 5 s
  ])('%o: %d mm take %d min', (config, depth, minutes) => {
    expect(minutesOf(config, depth)).toBe(minutes);
  });

  it('always reach the depth, and a minute less would not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('SystemDesign' as const, 'SprinklerParameters' as const),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 100, max: 4000 }),
        (type, depth, tenthsOfFlow, sprinklerCoverage) => {
          const config = { type, sprinklerFlow: tenthsOfFlow / 10, sprinklerCoverage };
          const minutes = minutesOf(config, depth);
          const rate = millimetresPerMinute(config);
          expect(minutes * rate).toBeGreaterThan(depth - 1e-6);
          if (minutes > 1) expect((minutes - 1) * rate).toBeLessThan(depth);
        },
      ),
    );
  });
});

describe('what follows when one field is changed', () => {
  it('minutes change the depth, and the depth the minutes', () => {
    expect(withDuration(defaultWaterApplication, 60)).toEqual({
      ...defaultWaterApplication,
      duration: 60,
      wal: 10,
    });
    expect(withDepth(defaultWaterApplication, 10)).toEqual({
      ...defaultWaterApplication,
      wal: 10,
      duration: 59,
    });
  });

  it('a wider spacing gives less on the same run', () => {
    const config: WaterApplication = {
      ...defaultWaterApplication,
      type: 'SprinklerParameters',
      duration: 60,
    };
    // 3,600 s × 4 L/s = 14,400 L over 50 × 40 m = 2,000 m².
    expect(withSprinkler(config, { sprinklerWidth: 50 })).toEqual({
      ...config,
      sprinklerWidth: 50,
      sprinklerCoverage: 2000,
      wal: 7,
    });
    expect(coverageOf(35.5, 40.2)).toBe(1427.1);
  });

  it('nothing, while a field holds nothing to reckon with', () => {
    expect(withDuration(defaultWaterApplication, 0)).toEqual({ ...defaultWaterApplication, duration: 0 });
    expect(withSprinkler(defaultWaterApplication, { sprinklerFlow: Number.NaN }).wal).toBe(5);
  });
});

describe('what can not be saved', () => {
  it.each([
    ['wal', 0, 'Depth is required.'],
    ['wal', 0.5, "Depth can't be less than 1 mm."],
    ['duration', 1441, "Duration can't be more than 1440 min."],
    ['sprinklerFlow', 0.9, "Sprinkler flow can't be less than 1 L/s."],
    ['sprinklerWidth', -3, "Sprinkler width can't be less than 1 m."],
    ['sprinklerLength', Number.NaN, 'Sprinkler length must be a number.'],
    ['type', 'Rain', 'Please choose how the depth is reckoned.'],
  ])('%s %s: %s', (field, value, sentence) => {
    const config = { ...defaultWaterApplication, [field]: value };
    expect(validateWater(config)).toEqual({ field, sentence });
  });

  it('nothing is wrong with the defaults: 5 mm in 30 min by sprinklers of 4 L/s, 35 by 40 m apart', () => {
    expect(defaultWaterApplication).toEqual({
      type: 'SystemDesign',
      wal: 5,
      duration: 30,
      sprinklerFlow: 4,
      sprinklerWidth: 35,
      sprinklerLength: 40,
      sprinklerCoverage: 1400,
    });
    expect(validateWater(defaultWaterApplication)).toBeNull();
  });
});
