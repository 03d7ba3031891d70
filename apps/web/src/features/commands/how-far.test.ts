import { expect, test } from 'vitest';
import { buildCommand } from './command-fixtures.ts';
import { howFarText } from './how-far.ts';

test.each([
  ['12 of 300 done', { done: 12 }],
  ['12 of 300 done, 3 failed', { done: 12, failed: 3 }],
  // Its plan said: it goes to 150 of 300, 148 have it already, 2 inhibited are left out.
  [
    '12 of 150 done, 3 failed; 148 had it already; 2 left out',
    { done: 160, failed: 3, hadIt: 148, leftOut: 2 },
  ],
  ['500 of 4,000 done; 1,000 had it already', { total: 5000, done: 1500, hadIt: 1000 }],
])('how far a command is: %s', (text, over) => {
  expect(howFarText(buildCommand(1, { total: 300, ...over }))).toBe(text);
});
