import { expect, it } from 'vitest';
import { askAgainMs } from './annex-again.ts';

it.each([
  ['was answered at once', 40, 50, 4000],
  ['took two seconds', 40, 2000, 20_000],
  ['took half a minute', 40, 30_000, 60_000],
  ['leaves nothing to reckon', 0, 2000, false],
])('an annex that %s is asked for again accordingly', (_name, toReckon, tookMs, ms) => {
  expect(askAgainMs(toReckon, tookMs)).toBe(ms);
});
