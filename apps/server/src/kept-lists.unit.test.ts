import { setImmediate as immediately } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createKeptLists } from './kept-lists.ts';

const owner = {};
const members = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

it('makes a list anew only where a member is another object', async () => {
  const lists = createKeptLists<{ at: number }, { of: number }>();
  const [one, two, three] = members(3) as [{ at: number }, { at: number }, { at: number }];
  const make = ({ at }: { at: number }) => ({ of: at });
  const first = await lists(owner, [one, two], ['same'], make);
  const next = await lists(owner, [one, { at: 20 }, three], ['same'], make);
  expect(next).toEqual([{ of: 0 }, { of: 20 }, { of: 2 }]);
  expect(next[0]).toBe(first[0]);
  const shorter = await lists(owner, [three], ['same'], make);
  expect(shorter).toEqual([{ of: 2 }]);
});

it('makes all of it anew once something else that it is made of is another, and nothing where nothing is', async () => {
  const lists = createKeptLists<{ at: number }, { of: number }>();
  const from = members(2);
  let made = 0;
  const make = ({ at }: { at: number }) => {
    made += 1;
    return { of: at };
  };
  const first = await lists(owner, from, [1], make);
  expect(await lists(owner, from, [1], make)).toBe(first);
  expect(made).toBe(2);
  await lists(owner, from, [2], make);
  expect(made).toBe(4);
});

it('serves others while a long list is made', async () => {
  const lists = createKeptLists<{ at: number }, number>();
  let made = 0;
  const list = lists(owner, members(50), [], ({ at }) => {
    for (const begun = performance.now(); performance.now() - begun < 1; );
    made += 1;
    return at;
  });
  await immediately();
  expect(made).toBeLessThan(50);
  expect(await list).toHaveLength(50);
});
