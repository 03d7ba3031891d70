import { expect, it } from 'vitest';
import { createSpokenFarms } from './spoken-farms.ts';

const START = Date.parse('2026-11-20T21:00:00Z');

it('a farm that was looked at lately waits for the regular turn, another one does not', () => {
  const farms = createSpokenFarms();
  farms.looked(1, START);
  farms.add([1, 2]);
  expect([...farms.take(START + 1500, true)]).toEqual([2]);
  expect([...farms.take(START + 1900, false)]).toEqual([1]);
  farms.add([1]);
  expect([...farms.take(START + 2000, true)]).toEqual([1]);
  expect([...farms.take(START + 2000, false)]).toEqual([]);
});
