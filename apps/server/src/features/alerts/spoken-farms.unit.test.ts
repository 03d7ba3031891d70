import { expect, it } from 'vitest';
import { createSpokenFarms } from './spoken-farms.ts';

const START = Date.parse('2026-11-20T21:00:00Z');

it('a farm whose devices go on speaking waits for some seconds, another one does not', () => {
  const farms = createSpokenFarms();
  farms.add([1]);
  expect([...farms.take(START)]).toEqual([1]);
  farms.add([1, 2]);
  expect([...farms.take(START + 3900)]).toEqual([2]);
  expect([...farms.take(START + 4000)]).toEqual([1]);
  expect([...farms.take(START + 9000)]).toEqual([]);
});

it('a clock that was set back makes nobody wait', () => {
  const farms = createSpokenFarms();
  farms.add([1]);
  expect([...farms.take(START)]).toEqual([1]);
  farms.add([1]);
  expect([...farms.take(START - 60_000)]).toEqual([1]);
});
