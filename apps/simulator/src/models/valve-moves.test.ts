import { describe, expect, it } from 'vitest';
import { valveMoves } from './valve-moves.ts';

const minute = 60_000;
/** Open from 07:12 to 07:40 and from 09:00 on, in minutes of the day. */
const isOpenAt = (at: number) => {
  const now = at / minute;
  return (now >= 432 && now < 460) || now >= 540;
};

describe('the moves of a valve', () => {
  it.each([
    ['none', 0, 430, []],
    ['its opening, and not that it is closed at first', 400, 450, [432]],
    ['its closing', 440, 500, [460]],
    ['all of them', 0, 1000, [432, 460, 540]],
    ['up to the last moment', 500, 540, [540]],
  ])('are %s', (_, from, to, moves) => {
    expect(valveMoves(isOpenAt, from * minute, to * minute)).toEqual(moves.map((at) => at * minute));
  });

  it('are told a minute late at most', () => {
    const [open] = valveMoves(isOpenAt, 400.5 * minute, 450 * minute);
    expect(open).toBeGreaterThanOrEqual(432 * minute);
    expect(open).toBeLessThanOrEqual(433 * minute);
  });
});
