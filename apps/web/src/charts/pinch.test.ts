import { describe, expect, it } from 'vitest';
import { noPinch, pinched, type Pinch, type Touch } from './pinch.ts';

/** One finger stays at x = 0; the other is at each of these places, px and ms. */
function turns(...places: [x: number, at: number][]): (Pinch | null)[] {
  const [[start, first] = [0, 0], ...rest] = places;
  const touches: Touch[] = [
    { kind: 'down', id: 1, x: 0, y: 0, at: first },
    { kind: 'down', id: 2, x: start, y: 0, at: first },
    ...rest.map(([x, at]): Touch => ({ kind: 'move', id: 2, x, y: 0, at })),
  ];
  let state = noPinch;
  return touches.map((touch) => {
    const step = pinched(state, touch);
    state = step.state;
    return step.turn;
  });
}

describe('a pinch', () => {
  it('is a turn once the fingers are 1.3 times as far apart, or as near', () => {
    expect(turns([100, 0], [129, 10], [131, 20])).toEqual([null, null, null, 'closer']);
    expect(turns([130, 0], [101, 10], [99, 20])).toEqual([null, null, null, 'wider']);
  });

  it('turns at most once in half a second', () => {
    expect(turns([100, 0], [140, 10], [200, 300], [200, 509], [200, 510])).toEqual([
      null,
      null,
      'closer',
      null,
      null,
      'closer',
    ]);
  });

  it('needs two fingers', () => {
    const one = pinched(noPinch, { kind: 'down', id: 1, x: 0, y: 0, at: 0 }).state;
    expect(pinched(one, { kind: 'move', id: 1, x: 500, y: 0, at: 10 }).turn).toBeNull();
    const two = pinched(one, { kind: 'down', id: 2, x: 100, y: 0, at: 20 }).state;
    const third = pinched(two, { kind: 'down', id: 3, x: 300, y: 0, at: 30 }).state;
    expect(pinched(third, { kind: 'move', id: 2, x: 900, y: 0, at: 40 }).turn).toBeNull();
  });

  it('starts anew when a finger was lifted', () => {
    let { state } = pinched(noPinch, { kind: 'down', id: 1, x: 0, y: 0, at: 0 });
    ({ state } = pinched(state, { kind: 'down', id: 2, x: 100, y: 0, at: 0 }));
    ({ state } = pinched(state, { kind: 'up', id: 2, x: 100, y: 0, at: 10 }));
    const again = pinched(state, { kind: 'down', id: 2, x: 300, y: 0, at: 20 });
    expect(again.turn).toBeNull();
    expect(pinched(again.state, { kind: 'move', id: 2, x: 310, y: 0, at: 30 }).turn).toBeNull();
  });
});
