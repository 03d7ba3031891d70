import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counterDelta } from './counter.ts';

describe('what a running total gained', () => {
  // Worked out by hand.
  it.each([
    ['it grew', 1000, 1003, null, 3],
    ['it stood still', 1000, 1000, null, 0],
    ['it restarted and has counted since', 1000, 4, null, 4],
    ['it was set back a little', 1000, 990, null, 0],
    ['it says what no total can be', 1000, -5, null, 0],
    ['a 16 bit register ran over', 65_530, 14, null, 20],
    ['a 24 bit register ran over', 16_777_200, 84, null, 100],
    ['a 32 bit register ran over', 4_294_967_290, 4, null, 10],
    ['it restarted far below the end of its register', 40_000, 14, null, 14],
    ['it restarted near the end, with more than fits a rollover', 65_000, 4000, null, 4000],
    ['its own end is known', 9990, 15, 10_000, 25],
    ['its own end is known, and it restarted', 1000, 15, 10_000, 15],
    ['its own end is known, and a register of 16 bits means nothing', 65_530, 14, 1_000_000, 14],
    ['it stood beyond the end that it is said to have', 70_000, 5, 65_536, 5],
  ])('%s: from %d to %d (wraps at %s) is %d', (_why, previous, next, wrapAt, gained) => {
    expect(counterDelta(previous, next, { wrapAt })).toBe(gained);
  });

  const amount = fc.integer({ min: 0, max: 2 ** 40 });

  it('is never negative, and never more than what was shown or the way over the end', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.option(fc.integer({ min: 2, max: 2 ** 40 })),
        (previous, next, wrapAt) => {
          const gained = counterDelta(previous, next, { wrapAt });
          expect(gained).toBeGreaterThanOrEqual(0);
          expect(gained).toBeLessThanOrEqual(Math.max(next, (wrapAt ?? 2 ** 32) / 2));
        },
      ),
    );
  });

  it('adds up to all that was counted, however often a register of known size runs over', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 32_768 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), steps, (start, gains) => {
        let shown = start;
        let sum = 0;
        for (const gain of gains) {
          const next = (shown + gain) % 65_536;
          sum += counterDelta(shown, next, { wrapAt: 65_536 });
          shown = next;
        }
        expect(sum).toBe(gains.reduce((total, gain) => total + gain, 0));
      }),
    );
  });

  it('adds up the same without being told, as long as it is read before a 16th of the register is counted', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4096 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.constantFrom(2 ** 16, 2 ** 24, 2 ** 32), steps, (end, gains) => {
        let shown = end - 100;
        let sum = 0;
        for (const gain of gains) {
          const next = (shown + gain) % end;
          sum += counterDelta(shown, next);
          shown = next;
        }
        expect(sum).toBe(gains.reduce((total, gain) => total + gain, 0));
      }),
    );
  });
});
