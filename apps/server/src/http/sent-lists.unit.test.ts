import { expect, it } from 'vitest';
import { createSentLists } from './sent-lists.ts';

const listOf = (bytes: number) => ({ items: [], starts: new Uint32Array(1), bytes: Buffer.alloc(bytes) });
function stand(keptBytes?: number) {
  const lists = createSentLists(keptBytes);
  const given: string[] = [];
  const keep = (request: string, name: string, bytes = 10) =>
    lists.keep(request, listOf(bytes), () => given.push(name));
  return { lists, given, keep };
}

it('gives the memory back once the list is neither kept nor being sent, in either order', () => {
  const { given, keep } = stand();
  const firstSent = keep('/a', 'first');
  firstSent();
  expect(given).toEqual([]);
  const secondSent = keep('/a', 'second');
  expect(given).toEqual(['first']);
  keep('/a', 'third');
  expect(given).toEqual(['first']);
  secondSent();
  expect(given).toEqual(['first', 'second']);
});

it('keeps the lists of several requests apart', () => {
  const { lists, keep } = stand();
  keep('/a', 'a', 1);
  keep('/b', 'b', 2);
  expect([lists.get('/a')?.bytes.length, lists.get('/b')?.bytes.length]).toEqual([1, 2]);
  expect(lists.get('/c')).toBeUndefined();
});

it('forgets the oldest once they are too much together, but never the one that came last', () => {
  const { lists, given, keep } = stand(25);
  keep('/a', 'a')();
  keep('/b', 'b')();
  keep('/a', 'a again')();
  keep('/c', 'c')();
  expect(given).toEqual(['a', 'b']);
  expect(lists.get('/b')).toBeUndefined();
  keep('/d', 'd', 100)();
  expect(given).toEqual(['a', 'b', 'a again', 'c']);
  expect(lists.get('/d')?.bytes.length).toBe(100);
});
