import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Something that is under way until a test ends it. */
function task() {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  return { end, over };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets so many of a key go at once, the others in their order, and other keys as they come', async () => {
  const turns = new Turns(2);
  const begun: string[] = [];
  const tasks = new Map(['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => [name, task()]));
  const all = [...tasks].map(([name, { over }]) =>
    turns.take(name.slice(0, 1), async () => {
      begun.push(name);
      await over;
      if (name === 'a1') throw new Error('failed');
      return name;
    }),
  );
  const ended = Promise.allSettled(all);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  tasks.get('a1')?.end();
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const { end } of tasks.values()) end();
  const results = await ended;
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    'failed',
    'a2',
    'a3',
    'a4',
    'b1',
  ]);
  expect(await turns.take('a', async () => 'again')).toBe('again');
});
