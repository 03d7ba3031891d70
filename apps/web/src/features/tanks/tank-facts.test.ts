import { describe, expect, it, test } from 'vitest';
import { HOUR, MINUTE } from '../../testing/fixtures.ts';
import {
  byName,
  conditionOf,
  countTanks,
  isTankOut,
  stateWords,
  tankState,
  trendWord,
} from './tank-facts.ts';
import { buildTank } from './tank-fixtures.ts';

const now = Date.parse('2026-11-21T05:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();

test.each([
  ['6 minutes old', { statusTime: before(6 * MINUTE) }, false],
  ['exactly 3 hours old', { statusTime: before(3 * HOUR) }, false],
  ['a millisecond older than 3 hours', { statusTime: before(3 * HOUR + 1) }, true],
  ['never heard of', { statusTime: null }, true],
  ['young, but the server says out', { statusTime: before(MINUTE), isOutOfContact: true }, true],
])('a tank whose status is %s', (_name, over, out) => {
  expect(isTankOut(buildTank(1, over), now)).toBe(out);
});

describe('a condition', () => {
  const level = (value: number | null, invalid = false) => ({ value, valueInLitres: null, invalid });
  test.each([
    ['nothing wrong', { level: level(20), batteryVoltage: 3.5 }, 0, []],
    ['low level', { level: level(19.9) }, 2, ['Low level']],
    ['low battery', { batteryVoltage: 3.49 }, 2, ['Low battery']],
    ['both', { level: level(5), batteryVoltage: 3.2 }, 2, ['Low level', 'Low battery']],
    ['an invalid level is not low, nor is it OK', { level: level(3, true) }, 2, ['Invalid sensor value']],
    ['a level that was never read is not OK', { level: level(null) }, 2, ['No data']],
    [
      'an invalid level, and a battery that is low',
      { level: level(null, true), batteryVoltage: 3.2 },
      2,
      ['Invalid sensor value', 'Low battery'],
    ],
    ['never heard of', { level: level(null), statusTime: null }, 1, ['Out of contact']],
    [
      'out of contact outweighs',
      { level: level(5), statusTime: before(4 * HOUR) },
      1,
      ['Out of contact', 'Low level'],
    ],
  ])('%s', (_name, over, condition, words) => {
    const state = tankState(buildTank(1, { statusTime: before(MINUTE), ...over }), now);
    expect(state.condition).toBe(condition);
    expect(stateWords(state)).toEqual(words);
  });
});

it('is green when normal, red out of contact, orange when battery or level is low', () => {
  expect([conditionOf[0], conditionOf[1], conditionOf[2]]).toEqual(['ok', 'issue', 'caution']);
});

it('counts each reason by itself', () => {
  const young = { statusTime: before(MINUTE) };
  const tanks = [
    buildTank(1, young),
    buildTank(2, { statusTime: before(5 * HOUR), batteryVoltage: 3.1 }),
    buildTank(3, { ...young, level: { value: 10, valueInLitres: 1, invalid: false } }),
    buildTank(4, { ...young, level: { value: null, valueInLitres: null, invalid: true } }),
    buildTank(5, { ...young, leakDetected: true }),
  ];
  expect(countTanks(tanks, now)).toEqual({
    total: 5,
    out: 1,
    lowBattery: 1,
    lowLevel: 1,
    invalid: 1,
    leaking: 1,
  });
});

it('sorts by name without regard to case, numbers by their size', () => {
  const names = ['hill 10', 'Yards', 'Hill 2', 'back dam'].map((name, n) => buildTank(n, { name }));
  expect(byName(names).map(({ name }) => name)).toEqual(['back dam', 'Hill 2', 'hill 10', 'Yards']);
});

test.each([
  [1, 'rising'],
  [0, 'steady'],
  [-1, 'falling'],
  [null, null],
])('a trend of %s is %s', (trending, word) => {
  expect(trendWord(trending)).toBe(word);
});
