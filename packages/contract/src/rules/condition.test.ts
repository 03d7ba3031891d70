import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHARGE_THRESHOLD_PERCENT,
  CLOCK_THRESHOLD_S,
  conditionName,
  conditions,
  sprinklerCondition,
  type SprinklerFacts,
} from './condition.ts';

const now = Date.parse('2026-11-20T21:00:00Z');
const DAY = 86_400_000;
const INHIBITED = 'D6:DA';

/** In service, heard an hour ago, nothing wrong, not watering. */
const well: SprinklerFacts = {
  outOfService: false,
  isSpareUnit: false,
  statusTime: now - 3_600_000,
  ipcCrc: '1A:2B',
  incCrc: '1A:2B',
  isScheduleComing: false,
  clock: 0,
  charge: 90,
  clockThreshold: 60,
  chargeThreshold: 50,
  activeNow: false,
  converted: null,
};
const of = (changes: Partial<SprinklerFacts>) => sprinklerCondition({ ...well, ...changes }, now);

describe('what is worst comes first', () => {
  const cases: [string, Partial<SprinklerFacts>, number][] = [
    ['nothing wrong', {}, 0],
    ['watering', { activeNow: true }, 1000],
    ['low battery while watering', { activeNow: true, charge: 49 }, 2],
    ['inhibited with a low battery', { ipcCrc: INHIBITED, charge: 10 }, -1],
    ['inhibited and silent', { ipcCrc: INHIBITED, statusTime: now - 31 * DAY }, 1],
    ['silent with a low battery', { charge: 10, statusTime: now - 31 * DAY }, 1],
    ['never heard', { statusTime: null, ipcCrc: null, charge: null, clock: null }, 1],
    ['out of service and silent', { outOfService: true, statusTime: null }, 5],
    ['a spare that is inhibited', { isSpareUnit: true, ipcCrc: INHIBITED }, 5],
    ['a spare with a low battery', { isSpareUnit: true, charge: 10 }, 5],
  ];
  it.each(cases)('%s', (_name, changes, condition) => {
    expect(of(changes).condition).toBe(condition);
  });
});

describe('exactly at the bounds', () => {
  it.each([
    [50, false],
    [49.9, true],
    [0, true],
    [null, false],
  ])('a charge of %s %% is a battery error: %s', (charge, isError) => {
    expect(of({ charge })).toMatchObject({ hasBatteryError: isError, hasError: isError });
  });

  it.each([
    [60, false],
    [-60, false],
    [61, true],
    [-61, true],
    [null, false],
  ])('a clock %s s off is a clock error: %s', (clock, isError) => {
    expect(of({ clock })).toMatchObject({ hasClockError: isError, hasError: isError });
  });

  it.each([
    [30 * DAY, false],
    [30 * DAY + 1, true],
  ])('%d ms without a status is out of contact: %s', (age, isOut) => {
    expect(of({ statusTime: now - age }).isOutOfContact).toBe(isOut);
  });

  it('goes by 50 % and 60 s where the gateway has not said its own', () => {
    const usual = { chargeThreshold: CHARGE_THRESHOLD_PERCENT, clockThreshold: CLOCK_THRESHOLD_S };
    expect(of({ ...usual, charge: 49, clock: 60 })).toMatchObject({
      hasBatteryError: true,
      hasClockError: false,
    });
    expect(of({ ...usual, charge: 50, clock: 61 })).toMatchObject({
      hasBatteryError: false,
      hasClockError: true,
    });
  });

  it("goes by the gateway's own thresholds", () => {
    expect(of({ charge: 60, chargeThreshold: 65 }).hasBatteryError).toBe(true);
    expect(of({ clock: 10, clockThreshold: 5 }).hasClockError).toBe(true);
    expect(of({ charge: 40, chargeThreshold: 30, clock: 90, clockThreshold: 120 }).condition).toBe(0);
  });
});

describe('a schedule error', () => {
  const cases: [string, Partial<SprinklerFacts>, boolean][] = [
    ['is another schedule than the current set has', { ipcCrc: '1A:2C' }, true],
    ['is a schedule where the set has none', { incCrc: INHIBITED }, true],
    ['is not the same schedule', {}, false],
    ['is none without a current set', { ipcCrc: '1A:2C', incCrc: null }, false],
    ['is none while the unit has not said what it holds', { ipcCrc: null }, false],
    ['is none of an inhibited unit', { ipcCrc: INHIBITED }, false],
    ['is none of a silent unit', { ipcCrc: '1A:2C', statusTime: now - 31 * DAY }, false],
    ['is none of a spare', { ipcCrc: '1A:2C', isSpareUnit: true }, false],
    ['is none of a unit out of service', { ipcCrc: '1A:2C', outOfService: true }, false],
  ];
  it.each(cases)('%s', (_name, changes, isError) => {
    expect(of(changes).hasScheduleError).toBe(isError);
  });
});

describe('a unit that a newer schedule is on its way to', () => {
  const coming = { incCrc: '3C:4D', isScheduleComing: true };

  it('differs from it, and is as well as if it did not', () => {
    const differs = { hasScheduleError: true, isScheduleComing: true, hasError: false };
    expect(of(coming)).toMatchObject({ ...differs, condition: 0 });
    expect(of({ ...coming, activeNow: true })).toMatchObject({ ...differs, condition: 1000 });
  });

  it('has its other errors all the same', () => {
    expect(of({ ...coming, charge: 49 })).toMatchObject({ condition: 2, hasError: true });
    expect(of({ ...coming, clock: 61 })).toMatchObject({ condition: 2, hasError: true });
  });

  it('is wrong once that is over', () => {
    expect(of({ ...coming, isScheduleComing: false })).toMatchObject({ condition: 2, hasError: true });
  });

  it.each([
    ['that says it already', { incCrc: '1A:2B' }],
    ['that is out of contact', { statusTime: now - 31 * DAY }],
    ['that is inhibited', { ipcCrc: INHIBITED }],
    ['that is a spare', { isSpareUnit: true }],
  ])('%s is not called so', (_name, changes) => {
    expect(of({ ...coming, ...changes }).isScheduleComing).toBe(false);
  });
});

describe('a unit made of a point of interest', () => {
  const converted = { condition: conditions.convertedSpare, at: now - 1000 };

  it('is what the conversion said until it is heard', () => {
    expect(of({ converted, statusTime: now - 2000 }).condition).toBe(7);
    expect(of({ converted: { ...converted, condition: 2 }, statusTime: null })).toMatchObject({
      condition: 2,
      isOutOfContact: false,
    });
  });

  it('is what it says itself from its first status on', () => {
    expect(of({ converted, statusTime: now - 1000 }).condition).toBe(0);
  });

  it('is a spare again when it is made one', () => {
    expect(of({ converted, statusTime: null, isSpareUnit: true }).condition).toBe(5);
  });
});

it('is one of its flags, whatever is known', () => {
  const facts = fc.record({
    outOfService: fc.boolean(),
    isSpareUnit: fc.boolean(),
    statusTime: fc.option(fc.integer({ min: now - 60 * DAY, max: now })),
    ipcCrc: fc.option(fc.constantFrom(INHIBITED, '00:01', '00:02')),
    incCrc: fc.option(fc.constantFrom(INHIBITED, '00:01')),
    isScheduleComing: fc.boolean(),
    clock: fc.option(fc.integer({ min: -120, max: 120 })),
    charge: fc.option(fc.integer({ min: 0, max: 100 })),
    clockThreshold: fc.constant(60),
    chargeThreshold: fc.constant(50),
    activeNow: fc.boolean(),
    converted: fc.constant(null),
  });
  fc.assert(
    fc.property(facts, (unit) => {
      const { condition, ...flags } = sprinklerCondition(unit, now);
      const isOut = unit.outOfService || unit.isSpareUnit;
      expect(condition === 5).toBe(isOut);
      expect(condition === 1).toBe(!isOut && flags.isOutOfContact);
      if (condition === -1) expect(flags.isInhibited).toBe(true);
      if (condition === 2) expect(flags.hasError).toBe(true);
      if (condition === 0 || condition === 1000)
        expect(flags).toMatchObject({ isOutOfContact: false, isInhibited: false, hasError: false });
      if (condition === 1000) expect(unit.activeNow).toBe(true);
      const isWrong = flags.hasScheduleError && !flags.isScheduleComing;
      expect(flags.hasError).toBe(flags.hasBatteryError || flags.hasClockError || isWrong);
      if (flags.isScheduleComing) expect(unit.isScheduleComing && flags.hasScheduleError).toBe(true);
    }),
  );
});

it('has a word for each number', () => {
  expect([-1, 0, 1, 2, 5, 7, 1000].map(conditionName)).toEqual([
    'inhibited',
    'ok',
    'outOfContact',
    'error',
    'outOfService',
    'convertedSpare',
    'active',
  ]);
  expect(conditionName(6)).toBe('ok');
});
