import { expect, it } from 'vitest';
import type { AlertKind } from './alert-kinds.ts';
import { nextRepeat } from './repeats.ts';

const MINUTE = 60_000;
/** Minutes after the beginning at which it is told again. */
function times(of: 'urgent' | 'important' | 'info', kind: AlertKind = 'TankLow'): number[] {
  const found: number[] = [];
  for (let at = nextRepeat(of, kind, 0, 0); at !== null; at = nextRepeat(of, kind, found.length, at))
    found.push(at / MINUTE);
  return found;
}

it('urgent is told again after 15, 30 and 60 min and then each hour, twelve times; important each 4 h, three times', () => {
  expect(times('urgent')).toEqual([15, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
  expect(times('important')).toEqual([240, 480, 720]);
  expect(times('info')).toEqual([]);
});

it('a missed watering is told again each day, three times, however urgent somebody made it', () => {
  expect(times('important', 'Missed')).toEqual([1440, 2880, 4320]);
  expect(times('urgent', 'Missed')).toEqual([1440, 2880, 4320]);
  expect(times('info', 'Missed')).toEqual([]);
});
