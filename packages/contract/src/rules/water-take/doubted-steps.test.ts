import fc from 'fast-check';
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

describe('readings that those around them contradict, however many', () => {
  it.each([
    ['said nothing twice', [1000, 1004, 0, 0, 1016, 1020], [4, null, null, null, 4]],
    ['said nothing three times', [1000, 1004, 0, 0, 0, 1020, 1024], [4, null, null, null, null, 4]],
    ['said other things', [1000, 1004, 7, 300, 1016, 1020], [4, null, null, null, 4]],
    ['fell twice', [1000, 1004, 900, 100, 1016, 1020], [4, null, null, null, 4]],
    ['jumped twice', [1000, 1004, 5000, 5000, 1016, 1020], [4, null, null, null, 4]],
    ['jumped and fell too far', [1000, 1004, 5000, 2, 1016, 1020], [4, null, null, null, 4]],
    ['fell too far and jumped', [1000, 1004, 2, 5000, 1016, 1020], [4, null, null, null, 4]],
    ['came back to the very same', [1000, 1000, 0, 0, 1000, 1000], [0, null, null, null, 0]],
  ])('%s: no step to, among or from them counts', (_what, values, steps) => {
    expect(stepsOf(values)).toEqual(steps);
  });

  it('are none beyond an hour: who counts as much again since then may have begun anew', () => {
    // 30 again an hour and a half after it fell.
    expect(stepsOf([26, 30, 0, 5, 10, 15, 20, 25, 30])).toEqual([4, null, 5, 5, 5, 5, 5, 5]);
  });

  it('are none of a counter that goes on from where it began anew', () => {
    expect(stepsOf([1000, 1004, 0, 0, 4, 8])).toEqual([4, null, 0, 4, 4]);
  });

  it.each([
    ['an end that is only guessed', { wrapAt: null }],
    ['an end that the meter says', { wrapAt: 65_536 }],
  ])('below %s are not that end', (_what, settings) => {
    expect(stepsOf([65_000, 65_004, 0, 65_012, 65_016], settings)).toEqual([4, null, null, 4]);
    expect(stepsOf([65_000, 65_004, 0, 0, 65_012, 65_016], settings)).toEqual([4, null, null, null, 4]);
  });

  it('are none of a small register that goes round within the hour', () => {
    expect(stepsOf([10, 50, 90, 30, 70, 10, 50, 90], { wrapAt: 100 })).toEqual([40, 40, 40, 40, 40, 40, 40]);
  });

  it('are doubted to the same steps a minute apart', () => {
    const wrong = Array.from({ length: 30 }, (_none, nth) => nth % 3);
    const steps = stepsOf([1000, 1001, ...wrong, 1032, 1033], {}, 60_000);
    expect(steps).toEqual([1, ...Array.from({ length: 31 }, () => null), 1]);
  });

  it('never add to what is counted, whatever they are', () => {
    const m3 = (values: readonly number[]) =>
      stepsOf(values).reduce<number>((sum, one) => sum + (one ?? 0), 0);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 20 }),
        fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (gains, wrong, isBelow) => {
          let total = 1000;
          const right = [total, ...gains.map((one) => (total += one))];
          const at = 3;
          const said = wrong.map((one) => (isBelow ? one : total + 1 + one));
          const values = [...right.slice(0, at), ...said, ...right.slice(at + said.length)];
          if (at + said.length >= right.length) return;
          expect(m3(values)).toBeLessThanOrEqual(total - 1000);
        },
      ),
    );
  });
});
