import { describe, expect, it } from 'vitest';
import { counterVolumes, type CounterSettings } from './meter-volumes.ts';

const QUARTER = 15 * 60_000;
/** m³ of each step between readings a quarter of an hour apart; null: nobody knows. */
const stepsOf = (values: readonly number[], settings: Partial<CounterSettings> = {}, apart = QUARTER) =>
  [
    ...counterVolumes(
      values.map((value, nth) => ({ at: nth * apart, value })),
      { m3PerUnit: 1, ...settings },
    ),
  ].map(({ m3 }) => m3);

describe('a reading that both its neighbours contradict', () => {
  it.each([
    ['fell and came back', [1000, 1004, 918, 1012, 1016], [4, null, null, 4]],
    ['fell to nothing and came back', [1000, 1004, 0, 1012, 1016], [4, null, null, 4]],
    ['jumped and fell back', [1000, 1004, 1500, 1012, 1016], [4, null, null, 4]],
    ['came back to the very same', [1000, 1000, 990, 1000, 1000], [0, null, null, 0]],
  ])('%s: neither step to or from it counts', (_what, values, steps) => {
    expect(stepsOf(values)).toEqual(steps);
  });

  it.each([
    ['a counter that began anew', [1000, 1004, 2, 6, 10], [4, null, 4, 4]],
    ['one that was set back', [1000, 1004, 900, 904, 908], [4, null, 4, 4]],
    ['one whose end is known', [96, 98, 2, 6], [2, 4, 4]],
  ])('is none of %s', (_what, values, steps) => {
    expect(stepsOf(values, { wrapAt: 100 })).toEqual(steps);
  });

  it('has its neighbours within an hour: of what is said later it is measured as before', () => {
    expect(stepsOf([1000, 1004, 1500, 1012], {}, 66 * 60_000)).toEqual([4, 496, null]);
  });

  it('is one too of a meter that logs by volume', () => {
    expect(stepsOf([1000, 1010, 910, 1020, 1030], { isByVolume: true })).toEqual([10, null, null, 10]);
  });

  it('is none that shows less than nothing: that one was not said', () => {
    expect(stepsOf([1000, 1004, -5, 1012])).toEqual([4, 8]);
  });
});

describe('the end of a register that is only guessed', () => {
  it.each([
    ['as much flows as beside it', [65_440, 65_490, 4, 54], [50, 50, 50]],
    ['a pump stops at it', [65_440, 65_490, 4, 4], [50, 50, 0]],
    ['a pump starts at it', [65_490, 65_490, 4, 54], [0, 50, 50]],
    ['few counts lie over it', [65_510, 65_510, 4, 4], [0, 30, 0]],
  ])('is believed where %s', (_what, values, steps) => {
    expect(stepsOf(values)).toEqual(steps);
  });

  it('is none where far more would have flowed than beside it, as after a restart', () => {
    expect(stepsOf([62_900, 62_940, 12, 52], { m3PerUnit: 0.25 })).toEqual([10, null, 10]);
  });

  it('is believed however much it is where the meter says where it ends', () => {
    expect(stepsOf([62_900, 62_940, 12, 52], { wrapAt: 65_536, m3PerUnit: 0.25 })).toEqual([10, 652, 10]);
  });
});
