import { expect, it } from 'vitest';
import { createKept } from './kept.ts';

it('keeps no more of what is empty than of anything else', () => {
  const kept = createKept<string>(2);
  for (const key of ['one', 'two', 'three']) kept.set(key, key, 0);
  expect(['one', 'two', 'three'].map((key) => kept.get(key))).toEqual([undefined, 'two', 'three']);
});

it('lets go what was not asked for longest, and keeps nothing that is too large', () => {
  const kept = createKept<string>(3);
  kept.set('one', 'one', 1);
  kept.set('two', 'two', 2);
  kept.get('one');
  kept.set('three', 'three', 2);
  expect(['one', 'two', 'three'].map((key) => kept.get(key))).toEqual(['one', undefined, 'three']);
  kept.set('three', 'larger', 4);
  expect(kept.get('three')).toBeUndefined();
});
