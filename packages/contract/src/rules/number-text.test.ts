import { expect, it } from 'vitest';
import { countText, wholeText } from './number-text.ts';

it('thousands stand apart, and nothing is said beyond the whole', () => {
  expect([0, 7, 999, 25_218, 1_234_567, 2.5].map(wholeText)).toEqual([
    '0',
    '7',
    '999',
    '25,218',
    '1,234,567',
    '3',
  ]);
});

it('what is counted stands in the singular for one alone', () => {
  expect([0, 1, 1_204].map((n) => countText(n, 'sprinkler'))).toEqual([
    '0 sprinklers',
    '1 sprinkler',
    '1,204 sprinklers',
  ]);
  expect(countText(2, 'entry', 'entries')).toBe('2 entries');
});
