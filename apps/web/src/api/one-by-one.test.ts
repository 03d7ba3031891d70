import { expect, test } from 'vitest';
import { turn } from './one-by-one.ts';

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 5));

test('the first of a task goes at once; each other has a task of its own, in the order asked', async () => {
  await nextTask();
  const begun: string[] = [];
  const ask = async (name: string) => {
    const others = turn();
    if (others) await others;
    begun.push(name);
  };
  const [, second, ...more] = ['a', 'b', 'c', 'd'].map(ask);
  expect(begun).toEqual(['a']);
  await Promise.resolve();
  expect(begun).toEqual(['a']);
  await second;
  expect(begun).toEqual(['a', 'b']);
  await Promise.all(more);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await nextTask();
  void ask('e');
  expect(begun.at(-1)).toBe('e');
});
