import { describe, expect, it } from 'vitest';
import { roomAgain } from './room-again.ts';

const now = new Date('2026-11-20T21:00:00Z');
const hoursAgo = (hours: number, count = 1) => ({ at: new Date(now.getTime() - hours * 3_600_000), count });
/** In hours from now. */
const again = (uses: { at: Date; count: number }[], limit: number, wanted = 1) =>
  (roomAgain(uses, limit, wanted, now).getTime() - now.getTime()) / 3_600_000;

describe('a limit over 24 hours', () => {
  it('has room now where what is wanted fits, and what is a day old counts no more', () => {
    expect(again([], 1)).toBe(0);
    expect(again([hoursAgo(1)], 2)).toBe(0);
    expect(again([hoursAgo(24), hoursAgo(25, 9)], 1)).toBe(0);
  });

  it('has room again when enough of the oldest is a day old, in whatever order they are told', () => {
    expect(again([hoursAgo(1), hoursAgo(23)], 2)).toBe(1);
    expect(again([hoursAgo(1), hoursAgo(23)], 2, 2)).toBe(23);
    expect(again([hoursAgo(20, 5), hoursAgo(10, 4), hoursAgo(2, 1)], 10, 6)).toBe(14);
  });

  it('never has room for more than itself: a day from now is the answer', () => {
    expect(again([], 5, 6)).toBe(24);
    expect(again([hoursAgo(20, 5)], 5, 6)).toBe(24);
  });
});
