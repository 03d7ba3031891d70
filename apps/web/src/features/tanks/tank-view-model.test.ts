import { describe, expect, it, test } from 'vitest';
import { tankState } from '@headrace/contract/rules/tank-state';
import { HOUR, MINUTE } from '../../testing/fixtures.ts';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { byName, conditionOf, stateLabel, trendLabel } from './tank-view-model.ts';

const now = Date.parse('2026-11-21T05:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();

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
    ['never heard of', { level: level(null), statusTime: null }, 1, ['Never contacted']],
    ['a possible leak', { leakDetected: true }, 2, ['Possible leak']],
    [
      'of a silent tank a leak is no news',
      { leakDetected: true, statusTime: before(4 * HOUR) },
      1,
      ['Out of contact'],
    ],
    [
      'out of contact outweighs',
      { level: level(5), statusTime: before(4 * HOUR) },
      1,
      ['Out of contact', 'Low level'],
    ],
  ])('%s', (_name, over, condition, text) => {
    const state = tankState(buildTank(1, { statusTime: before(MINUTE), ...over }), now);
    expect(state.condition).toBe(condition);
    expect(stateLabel(state)).toEqual(text);
  });
});

it('is green when normal, red out of contact or with a leak, orange when anything else is wrong', () => {
  const of = (condition: 0 | 1 | 2, leak = false) => conditionOf({ condition, leak });
  expect([of(0), of(1), of(2), of(2, true)]).toEqual(['ok', 'issue', 'caution', 'issue']);
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
])('a trend of %s is %s', (trending, label) => {
  expect(trendLabel(trending)).toBe(label);
});
