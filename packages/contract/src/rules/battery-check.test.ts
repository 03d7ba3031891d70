import { describe, expect, it } from 'vitest';
import { batteryCheck, type BatteryCheckFacts } from './battery-check.ts';

const CHANGED = 1_000_000;
const check = (over: Partial<BatteryCheckFacts> = {}) =>
  batteryCheck({
    replacedAt: CHANGED,
    heardAt: CHANGED + 1,
    hasClockError: false,
    clock: 2,
    held: 'wanted',
    isScheduleWanted: true,
    isInhibited: false,
    isStopWanted: false,
    ...over,
  });

describe('after a new battery', () => {
  it.each([null, CHANGED - 1, CHANGED])('nothing is said of a unit that was heard last at %s', (heardAt) => {
    expect(check({ heardAt })).toBeNull();
  });

  it.each([
    ['holds what it is to', {}, 'kept'],
    ['holds nothing', { held: 'nothing' }, 'lost'],
    [
      'says that it holds none, as an inhibited one does, though nobody inhibited it',
      { isInhibited: true },
      'lost',
    ],
    ['is inhibited as a person wants it', { isInhibited: true, isStopWanted: true }, 'stopped'],
    ['holds one of before', { held: 'older' }, 'other'],
    ['holds one that was not sent to it', { held: 'foreign' }, 'other'],
    ['has not said what it holds', { held: 'unknown' }, 'unknown'],
    ['is to hold nothing, and does', { held: 'nothing', isScheduleWanted: false }, 'none'],
  ] as const)('a unit that %s: its schedule', (_what, over, schedule) => {
    expect(check(over)).toEqual({ schedule, clock: 'right' });
  });

  it('its clock is judged by its own word', () => {
    expect(check({ hasClockError: true, clock: -3600 })?.clock).toBe('wrong');
    expect(check({ clock: null })?.clock).toBe('unknown');
  });
});
