import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

const farm = (farmId: number, accountId = farmId) => ({ farmId, accountId });

function setUp(msPerMinute = { farm: 15_000, account: 30_000 }) {
  const clock = { now: 0 };
  const turns = createFairTurns({ msPerMinute, now: () => clock.now });
  /** Lets the next one work so long; its farm. */
  function work(workers: ReturnType<typeof farm>[], ms: (farmId: number) => number): number | undefined {
    const [next] = turns.inTurn(workers);
    if (!next) return undefined;
    turns.begin(next);
    clock.now += ms(next.farmId);
    turns.end(next, ms(next.farmId));
    return next.farmId;
  }
  return { clock, turns, work };
}

describe('turns', () => {
  it('go to who has used least: a quick one has hundreds of turns while a slow one has one', () => {
    const { work } = setUp();
    const order = Array.from({ length: 402 }, () => work([farm(1), farm(2)], (id) => (id === 1 ? 400 : 1)));
    expect(order.filter((id) => id === 1)).toHaveLength(2);
  });

  it('count by account first: 35 farms of one are as good as one', () => {
    const { work } = setUp({ farm: 60_000, account: 60_000 });
    const many = Array.from({ length: 35 }, (_, index) => farm(10 + index, 7));
    const order = Array.from({ length: 20 }, () => work([...many, farm(1)], () => 10));
    expect(order.filter((id) => id === 1)).toHaveLength(10);
    // And its farms have them one after the other.
    expect(new Set(order).size).toBe(11);
  });

  it('can not be saved up: who comes after an hour is no better off than who was there', () => {
    const { clock, work } = setUp({ farm: 60_000, account: 60_000 });
    for (let turn = 0; turn < 50; turn += 1) work([farm(1)], () => 100);
    clock.now += 3_600_000;
    const order = Array.from({ length: 20 }, () => work([farm(1), farm(2)], () => 100));
    expect(order.filter((id) => id === 2).length).toBeLessThanOrEqual(11);
  });

  it('end with the minute that is used up, and come again as it comes back', () => {
    const { clock, turns, work } = setUp({ farm: 6000, account: 9000 });
    for (let turn = 0; turn < 7; turn += 1) work([farm(1)], () => 1000);
    // 7 s used in 7 s, which gave 0.6 s back: the first began with all of it.
    expect([work([farm(1)], () => 1000), turns.restMs([farm(1)])]).toEqual([
      undefined,
      expect.closeTo(4010, -2),
    ]);
    clock.now += 4100;
    expect(work([farm(1)], () => 1000)).toBe(1);
  });

  it('end for all farms of an account that has used its own', () => {
    const { work } = setUp({ farm: 6000, account: 9000 });
    const three = [farm(1, 7), farm(2, 7), farm(3, 7)];
    let turns = 0;
    while (work(three, () => 1000) !== undefined) turns += 1;
    expect(turns).toBe(11);
    expect(work([...three, farm(9)], () => 1000)).toBe(9);
  });

  it('are one at a time for an account', () => {
    const { turns } = setUp();
    turns.begin(farm(1, 7));
    expect(turns.inTurn([farm(1, 7), farm(2, 7), farm(3)])).toEqual([farm(3)]);
    expect(turns.ranked([farm(2, 7)])).toHaveLength(1);
  });

  it('of accounts that always have work differ by no more than the longest piece', () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 20, max: 200 }), (lengths, count) => {
        const { work } = setUp({ farm: 1e9, account: 1e9 });
        const used = lengths.map(() => 0);
        const all = lengths.map((_, index) => farm(index));
        for (let turn = 0; turn < count; turn += 1) {
          const index = work(all, (id) => lengths[id] ?? 0) ?? 0;
          used[index] = (used[index] ?? 0) + (lengths[index] ?? 0);
        }
        expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(2 * Math.max(...lengths));
      }),
    );
  });
});
