import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commsClass,
  commsOf,
  type HealthUnit,
  healthOf,
  historyTypesOf,
  percentOf,
} from './health-figures.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T00:00:00Z');
const unit = (over: Partial<HealthUnit> = {}, days = 1): HealthUnit => ({
  condition: 0,
  isOutOfContact: days > 30,
  isInhibited: false,
  isSpareUnit: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  statustime: NOW - days * DAY,
  ...over,
});
const never = unit({ condition: 1, isOutOfContact: true, statustime: 0 });
const spare = unit({ condition: 5, isSpareUnit: true, hasBatteryError: true });

describe('health', () => {
  it('is of units in service and in contact, by error', () => {
    const farm = [
      unit(),
      unit({ condition: 2, hasBatteryError: true, hasClockError: true }),
      unit({ condition: 2, hasScheduleError: true }),
      unit({ condition: -1, isInhibited: true, hasBatteryError: true }),
      unit({ condition: 1, hasBatteryError: true, hasClockError: true }, 31),
      never,
      spare,
    ];
    expect(healthOf(farm)).toEqual({ inContact: 4, clockOk: 3, batteryOk: 2, scheduleOk: 3 });
  });

  it.each([
    [2, 3, 66.6],
    [2999, 3000, 99.9],
    [300, 300, 100],
    [0, 7, 0],
    [0, 0, null],
  ])('%d of %d is %s %%: never rounded up to all', (part, whole, percent) => {
    expect(percentOf(part, whole)).toBe(percent);
  });
});

describe('contact', () => {
  it.each([
    [0, 'regular'],
    [7, 'regular'],
    [7.01, 'occasional'],
    [30, 'occasional'],
    [30.01, 'outOfContact'],
  ])('after %d days is %s', (days, expected) => {
    expect(commsClass(unit({}, days), NOW)).toBe(expected);
  });

  it('of one that was never heard is none, and one whose clock runs ahead is heard', () => {
    expect(commsClass(never, NOW)).toBe('outOfContact');
    expect(commsClass(unit({}, -0.01), NOW)).toBe('regular');
  });

  it('has each unit in service once, and those out of service apart', () => {
    const some = fc.array(
      fc
        .record({ days: fc.double({ min: 0, max: 90, noNaN: true }), out: fc.boolean() })
        .map(({ days, out }) => unit({ condition: out ? 5 : days > 30 ? 1 : 0 }, days)),
    );
    fc.assert(
      fc.property(some, (farm) => {
        const { regular, occasional, outOfContact, outOfService } = commsOf(farm, NOW);
        expect(new Set([...regular, ...occasional, ...outOfContact, ...outOfService]).size).toBe(farm.length);
        expect(outOfService).toEqual(farm.filter(({ condition }) => condition === 5));
      }),
    );
  });
});

describe('by the day a unit counts', () => {
  it.each<[string, HealthUnit, number[]]>([
    ['well', unit(), [8]],
    ['heard last week', unit({}, 8), [1]],
    ['silent, whatever its last errors were', unit({ condition: 1, hasClockError: true }, 40), [0]],
    ['never heard', never, [0]],
    [
      'with every error',
      unit({ condition: 2, hasScheduleError: true, hasBatteryError: true, hasClockError: true }),
      [8, 2, 3, 4],
    ],
    ['inhibited', unit({ condition: -1, isInhibited: true }), [8, 5]],
    ['spare', spare, [6]],
    ['out of service', unit({ condition: 5 }), []],
  ])('%s', (_name, one, types) => {
    expect(historyTypesOf(one, NOW)).toEqual(types);
  });
});
