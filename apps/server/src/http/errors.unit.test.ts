import { expect, it } from 'vitest';
import { tooMany, tryAgain } from './errors.ts';

it.each([
  [0, 'a second', 1],
  [1001, '2 seconds', 2],
  [119_000, '119 seconds', 119],
  [119_001, '2 minutes', 120],
  [120_001, '3 minutes', 121],
  [3 * 3_600_000 - 1, '3 hours', 10_800],
  [86_400_000, '1 day', 86_400],
])('too much for now says when to come again, never too early: %i ms', (ms, text, seconds) => {
  expect([tryAgain(ms), tooMany('Too much.', ms).retryAfterS]).toEqual([
    `Please try again in ${text}.`,
    seconds,
  ]);
});
