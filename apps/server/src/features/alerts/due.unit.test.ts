import { expect, it } from 'vitest';
import { isDue, type Waiting } from './due.ts';

const MINUTE = 60_000;
const waiting = (over: Partial<Waiting> = {}): Waiting => ({
  lookedAt: 10 * MINUTE,
  holdOver: undefined,
  isHeard: false,
  ...over,
});

it.each<[string, Partial<Waiting>, number, boolean]>([
  ['was never looked at', { lookedAt: undefined }, 10, true],
  ['was just looked at', {}, 10.5, false],
  ['has its minute over', {}, 11, true],
  ['was looked at by a clock that was set back', {}, 5, true],
  ['has its devices heard', { isHeard: true }, 10.1, true],
  ['has a hold over since', { holdOver: 10.2 * MINUTE }, 10.3, true],
  ['had a hold over that could not be judged at the last look', { holdOver: 9 * MINUTE }, 10.5, false],
  ['had such a hold, and has its minute over', { holdOver: 9 * MINUTE }, 11, true],
])('an alert on tank levels that %s', (_name, over, minute, is) => {
  expect(isDue('TankLow', waiting(over), minute * MINUTE)).toBe(is);
});

it('an alert that waits for hours is not looked at for each word', () => {
  expect(isDue('LowBattery', waiting({ isHeard: true }), 11 * MINUTE)).toBe(false);
});
