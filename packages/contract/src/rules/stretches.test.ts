import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, heldStretches, sharesOf, type Stretch } from './stretches.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const hourAt = (at: number) => {
  const start = Math.floor(at / HOUR) * HOUR;
  return { start, from: start, to: start + HOUR };
};
const always = { from: -Infinity, to: Infinity };
const sum = (parts: readonly { amount: number; knownMs: number }[]) => ({
  amount: parts.reduce((total, { amount }) => total + amount, 0),
  knownMs: parts.reduce((total, { knownMs }) => total + knownMs, 0),
});

describe('what a rate amounts to between two readings', () => {
  it.each([
    // Half an hour from 10 to 30: a quarter of an hour of each.
    ['close together', 30, [15 * 10, 15 * 30], 30],
    // Three hours is the most that two readings speak for.
    ['three hours apart', 180, [90 * 10, 90 * 30], 180],
    ['a day apart', 1440, [90 * 10, 90 * 30], 180],
    ['at one moment', 0, [], 0],
  ])('%s', (_what, minutes, amounts, known) => {
    const stretches = heldStretches({ at: 0, value: 10 }, { at: minutes * MINUTE, value: 30 });
    expect(stretches.map(({ amount }) => amount)).toEqual(amounts);
    expect(sum(stretches).knownMs).toBe(known * MINUTE);
  });

  it('lies beside its readings, with the unknown time between', () => {
    const [first, second] = heldStretches({ at: 0, value: 1 }, { at: 10 * HOUR, value: 1 });
    expect([first?.from, first?.to, second?.from, second?.to]).toEqual([
      0,
      1.5 * HOUR,
      8.5 * HOUR,
      10 * HOUR,
    ]);
  });
});

describe('the shares of a stretch', () => {
  it('go by the time that lies in each hour', () => {
    const stretch = { from: 0.75 * HOUR, to: 2.25 * HOUR, amount: 60, knownMs: 1.5 * HOUR };
    expect(
      sharesOf(stretch, hourAt, always).map(({ bucket, share }) => [bucket.start / HOUR, share.amount]),
    ).toEqual([
      [0, 10],
      [1, 40],
      [2, 10],
    ]);
    expect(sharesOf(stretch, hourAt, { from: HOUR, to: 2 * HOUR })).toHaveLength(1);
    // One that ends with an hour has nothing in the next.
    expect(sharesOf({ ...stretch, to: 2 * HOUR }, hourAt, always)).toHaveLength(2);
  });

  const stretch = fc
    .tuple(
      fc.integer({ min: 0, max: 500_000 }),
      fc.integer({ min: 1, max: 500_000 }),
      fc.integer({ min: 0, max: 900 }),
    )
    .map(
      ([from, length, amount]): Stretch => ({
        from: from * 1000,
        to: (from + length) * 1000,
        amount,
        knownMs: (length * 1000) / 2,
      }),
    );

  it('add up to it, and so do the parts that it is clipped to', () => {
    fc.assert(
      fc.property(stretch, fc.integer({ min: 0, max: 1_000_000 }), (one, cut) => {
        const shares = sharesOf(one, hourAt, always).map(({ share }) => share);
        expect(sum(shares).amount).toBeCloseTo(one.amount, 6);
        expect(sum(shares).knownMs).toBeCloseTo(one.knownMs, 3);
        const at = cut * 1000;
        const parts = [clipped(one, { from: -Infinity, to: at }), clipped(one, { from: at, to: Infinity })];
        expect(sum(parts.flatMap((part) => part ?? [])).amount).toBeCloseTo(one.amount, 6);
      }),
    );
  });
});
