import { expect, it } from 'vitest';
import { createShared, SHARED_MS } from './shared.ts';

const same = (value: number) => value;
/** Something that lasts until it is ended. */
function lasting() {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  return { over, end };
}

it('who asks while it is under way gets the same, and who asks after that has it made anew', async () => {
  const share = createShared<number>();
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  expect(await Promise.all([share('a', make, same), share('a', make, same), share('b', make, same)])).toEqual(
    [1, 1, 2],
  );
  expect(await share('a', make, same)).toBe(3);
});

it('who asks while another uses it gets the same, until it is too old', async () => {
  let [now, made] = [0, 0];
  const share = createShared<number>(() => now);
  const make = () => Promise.resolve((made += 1));
  const printed = lasting();
  const first = share('a', make, (value) => printed.over.then(() => value));
  expect(await share('a', make, same)).toBe(1);
  now += SHARED_MS - 1;
  expect(await share('a', make, same)).toBe(1);
  now += 1;
  expect(await share('a', make, same)).toBe(2);
  printed.end();
  expect(await first).toBe(1);
  expect(await share('a', make, same)).toBe(3);
});

it('one whose use failed holds it no longer', async () => {
  const share = createShared<number>();
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  await expect(share('a', make, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await share('a', make, same)).toBe(2);
});

it('one that failed is told to all who waited, and is tried again', async () => {
  const share = createShared<number>();
  const fail = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([share('a', fail, same), share('a', fail, same)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', () => Promise.resolve(1), same)).toBe(1);
});
