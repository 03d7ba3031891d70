import { expect, test } from 'vitest';
import { placeIn } from './neighbours.ts';

const list = ['a', 'b', 'c'];

test('a unit stands between its neighbours, and the list ends at its ends', () => {
  expect(placeIn(list, 'b', null)).toEqual({ at: 2, of: 3, previous: 'a', next: 'c' });
  expect(placeIn(list, 'a', null)).toEqual({ at: 1, of: 3, previous: null, next: 'b' });
  expect(placeIn(list, 'c', null)).toEqual({ at: 3, of: 3, previous: 'b', next: null });
  expect(placeIn(['a'], 'a', null)).toEqual({ at: 1, of: 1, previous: null, next: null });
});

test('one that has left the list goes on from where it stood', () => {
  expect(placeIn(['a', 'c'], 'b', 2)).toEqual({ at: null, of: 2, previous: 'a', next: 'c' });
  expect(placeIn(['b', 'c'], 'a', 1)).toEqual({ at: null, of: 2, previous: null, next: 'b' });
  expect(placeIn(['a', 'b'], 'c', 3)).toEqual({ at: null, of: 2, previous: 'b', next: null });
});

test('a list that has grown short, or empty, has an end all the same', () => {
  expect(placeIn(['a'], 'x', 40)).toEqual({ at: null, of: 1, previous: 'a', next: null });
  expect(placeIn([], 'x', 2)).toEqual({ at: null, of: 0, previous: null, next: null });
});

test('one that never was in the list has no neighbours', () => {
  expect(placeIn(list, 'x', null)).toEqual({ at: null, of: 3, previous: null, next: null });
});
