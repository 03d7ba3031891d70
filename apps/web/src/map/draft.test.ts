import { describe, expect, it, test } from 'vitest';
import { boundarySentence } from './boundary-sentence.ts';
import {
  crossings,
  gripAt,
  isSameRing,
  middleOf,
  movedCorner,
  sideMiddles,
  withCorner,
  withoutCorner,
} from './draft.ts';

const at = (lat: number, lng: number) => ({ lat, lng });
const square = [at(0, 0), at(0, 0.01), at(0.01, 0.01), at(0.01, 0)];
/** The same corners with two of them swapped: its sides cross in the middle. */
const bow = [at(0, 0), at(0, 0.01), at(0.01, 0), at(0.01, 0.01)];

describe('a step', () => {
  it('moves a corner, to a tenth of a metre', () => {
    expect(movedCorner(square, 1, at(0.00200004, 0.0200006))[1]).toEqual(at(0.002, 0.020001));
  });
  it('puts a corner behind another, or first', () => {
    expect(withCorner(square, 1, at(5, 5)).indexOf(square[2] as never)).toBe(3);
    expect(withCorner(square, -1, at(5, 5))[0]).toEqual(at(5, 5));
  });
  it('takes one away', () => {
    expect(withoutCorner(square, 0)).toEqual(square.slice(1));
  });
  it('leaves the ring it began with alone', () => {
    const before = JSON.stringify(square);
    movedCorner(square, 0, at(1, 1));
    withCorner(square, 0, at(1, 1));
    expect(JSON.stringify(square)).toBe(before);
  });
});

test('the last side leads back to the first corner', () => {
  expect(middleOf(square, 0)).toEqual(at(0, 0.005));
  expect(middleOf(square, 3)).toEqual(at(0.005, 0));
  expect(middleOf([], 0)).toBeNull();
});

test('rings are the same by their corners and order', () => {
  expect(isSameRing(square, structuredClone(square))).toBe(true);
  expect(isSameRing(square, [...square].reverse())).toBe(false);
  expect(isSameRing(square, square.slice(1))).toBe(false);
});

describe('a finger', () => {
  const places = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 100, y: 40 },
  ];
  it.each([
    ['on a corner', { x: 3, y: 2 }, true, { kind: 'corner', index: 0 }],
    ['22 px from a corner', { x: 0, y: 22 }, true, { kind: 'corner', index: 0 }],
    ['further off', { x: -16, y: -16 }, true, null],
    ['on the middle of a side', { x: 52, y: -4 }, true, { kind: 'side', index: 0 }],
    ['between two near corners takes the nearer', { x: 100, y: 21 }, true, { kind: 'corner', index: 2 }],
    ['on the last side of a closed ring', { x: 50, y: 21 }, true, { kind: 'side', index: 2 }],
    ['on the side that an open ring lacks', { x: 50, y: 30 }, false, null],
    ['nowhere', { x: 300, y: 300 }, true, null],
  ] as const)('%s', (_name, point, isClosed, grip) => {
    expect(gripAt(places, point, isClosed)).toEqual(grip);
  });
  it('has no middle to take on sides shorter than 48 px, nor on the side that an open ring lacks', () => {
    expect(sideMiddles(places, true).map(({ index }) => index)).toEqual([0, 2]);
    expect(sideMiddles(places, false).map(({ index }) => index)).toEqual([0]);
  });
});

describe('sides that cross', () => {
  it('are marked where they do', () => {
    expect(crossings(square, true)).toEqual([]);
    const [place] = crossings(bow, true);
    expect(place?.lat).toBeCloseTo(0.005, 9);
    expect(place?.lng).toBeCloseTo(0.005, 9);
  });
  it('are not yet there while the ring is open and only its last side would cross', () => {
    const open = [at(0, 0), at(0, 0.01), at(0.01, 0.01), at(-0.01, 0.005)];
    expect(crossings(open, true)).toHaveLength(1);
    expect(crossings([at(0, 0), at(0.01, 0.01), at(0.01, 0), at(0, 0.01)], false)).toHaveLength(1);
  });
});

describe('what is said of a boundary', () => {
  it.each([
    ['too few points are no fault yet', square.slice(0, 2), true, /^$/, false],
    ['a sound one', square, false, /^$/, false],
    ['one that crosses itself', bow, false, /crosses or touches itself/, true],
    [
      'one that encloses nothing',
      [at(0, 0), at(0, 0.000001), at(0.000001, 0)],
      false,
      /less than 10 m²/,
      true,
    ],
    [
      'one whose last side, not drawn yet, would cross',
      [at(0, 0), at(0, 0.01), at(0.01, 0.01), at(0.002, 0.02)],
      true,
      /^$/,
      false,
    ],
  ])('%s', (_name, ring, isOpen, text, isWrong) => {
    const sentence = boundarySentence(ring, isOpen);
    expect(sentence.text).toMatch(text);
    expect(sentence.isWrong).toBe(isWrong);
  });
});
