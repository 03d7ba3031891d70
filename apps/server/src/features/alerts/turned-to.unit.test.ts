import { expect, it } from 'vitest';
import { turnedTo } from './turned-to.ts';

it('each farm comes once, and each is the first at some time', () => {
  const turns = [1000, 1001, 1002].map((now) => turnedTo(['a', 'b', 'c'], now));
  expect(turns).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
  ]);
  expect(turnedTo([], 1000)).toEqual([]);
});
