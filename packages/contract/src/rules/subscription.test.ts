import { expect, it } from 'vitest';
import { isExpired } from './subscription.ts';

const now = new Date('2026-11-20T21:00:00Z');

it.each([
  ['2026-11-20T20:59:59Z', true],
  ['2026-11-20T21:00:00Z', false],
  ['2026-11-20T21:00:01Z', false],
  ['1970-01-01T00:00:00Z', false],
  ['1970-12-31T23:59:59Z', false],
  ['1971-01-01T00:00:00Z', true],
])('paid until %s is over: %s', (validUntil, over) => {
  expect(isExpired(new Date(validUntil), now)).toBe(over);
});
