import { expect, it } from 'vitest';
import { createShared } from './shared.ts';

it('who asks while it is under way gets the same, and who asks after that has it made anew', async () => {
  const share = createShared<number>();
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  expect(await Promise.all([share('a', make), share('a', make), share('b', make)])).toEqual([1, 1, 2]);
  expect(await share('a', make)).toBe(3);
});

it('one that failed is told to all who waited, and is tried again', async () => {
  const share = createShared<number>();
  const fail = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', () => Promise.resolve(1))).toBe(1);
});
