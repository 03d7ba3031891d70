import { expect, it } from 'vitest';
import { usualClear } from './alert-kinds.ts';
import { sideOf } from './sides.ts';

const low = { condition: 'below', value: 20, clearValue: 25 } as const;
const high = { condition: 'above', value: 95, clearValue: 90 } as const;

it.each([
  [low, 19.9, 'in'],
  [low, 20, 'between'],
  [low, 24.9, 'between'],
  [low, 25, 'out'],
  [low, null, 'unknown'],
  [low, Number.NaN, 'unknown'],
  [high, 95.1, 'in'],
  [high, 95, 'between'],
  [high, 90, 'out'],
] as const)('%o at %s is %s', (limit, value, side) => {
  expect(sideOf(limit, value)).toBe(side);
});

it.each([
  ['TankLow', 'below', 20, 25],
  ['TankLow', 'below', 97, 99],
  ['TankHigh', 'above', 95, 90],
  ['TankHigh', 'above', 3, 1],
  ['SoilMoisture', 'above', 60, 55],
  ['SoilMoisture', 'below', 10, 15],
  ['ValveOpen', 'any', 0, null],
] as const)('%s %s %i is over at %s, which can be reached', (kind, condition, value, clear) => {
  expect(usualClear(kind, condition, value)).toBe(clear);
});
