import { expect, it } from 'vitest';
import { isSilent } from './silence.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const tank = { since: 0, limitMs: 3 * HOUR, againMs: 30 * MINUTE };

it.each([
  ['within its limit', tank, [], 3 * HOUR, false],
  ['beyond its limit', tank, [], 3 * HOUR + 1, true],
  ['time in which nobody listened does not count', tank, [{ from: HOUR, to: 2 * HOUR }], 4 * HOUR, false],
  ['but the rest does', tank, [{ from: HOUR, to: 2 * HOUR }], 4 * HOUR + 1, true],
  [
    'right after a gap it has time to be heard',
    tank,
    [{ from: 3 * HOUR, to: 5 * HOUR }],
    5 * HOUR + 29 * MINUTE,
    false,
  ],
  ['and no longer than that', tank, [{ from: 3 * HOUR, to: 5 * HOUR }], 5 * HOUR + 30 * MINUTE, true],
  ['a gap before its last word is none of its', tank, [{ from: -5 * HOUR, to: -HOUR }], 3 * HOUR + 1, true],
  [
    'four minutes put a limit of 30 days off by four minutes, not by 30 days',
    { since: 0, limitMs: 720 * HOUR, againMs: 12 * HOUR },
    [{ from: HOUR, to: HOUR + 4 * MINUTE }],
    720 * HOUR + 4 * MINUTE + 1,
    true,
  ],
] as const)('%s', (_name, silence, gaps, now, is) => {
  expect(isSilent(silence, gaps, now)).toBe(is);
});
