import { expect, it } from 'vitest';
import { twoFigures } from './two-figures.ts';

it('what is reckoned has two figures', () => {
  expect([184, 42.4, 1_904, 90_240].map(twoFigures)).toEqual([180, 42, 1_900, 90_000]);
});
