import { expect, it } from 'vitest';
import { type Counted, howFarText } from './command-count.ts';

const counted = (over: Partial<Counted>): Counted => ({
  total: 300,
  done: 0,
  failed: 0,
  hadIt: 0,
  leftOut: 0,
  ...over,
});

it.each([
  ['12 of 300 done', { done: 12 }],
  ['12 of 300 done, 3 failed', { done: 12, failed: 3 }],
  // Its plan said: it goes to 150 of 300, 148 have it already, 2 inhibited are left out.
  [
    '12 of 150 done, 3 failed; 148 had it already; 2 left out',
    { done: 160, failed: 3, hadIt: 148, leftOut: 2 },
  ],
  ['0 of 0 done; 300 had it already', { done: 300, hadIt: 300 }],
])('%s', (text, over) => {
  expect(howFarText(counted(over))).toBe(text);
});

it('writes its numbers as the page does', () => {
  const write = (count: number) => `<${count}>`;
  expect(howFarText(counted({ total: 5000, done: 1500, hadIt: 1000 }), write)).toBe(
    '<500> of <4000> done; <1000> had it already',
  );
});
