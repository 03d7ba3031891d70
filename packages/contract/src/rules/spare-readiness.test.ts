import { describe, expect, it } from 'vitest';
import { readinessText, type SpareFacts, spareReadiness } from './spare-readiness.ts';

const good: SpareFacts = {
  isContacted: true,
  charge: 70,
  clock: 3,
  limits: { charge: 50, clock: 60 },
  mode: 'Local',
  radio: { farmId: '01:01', channel: 4 },
  farmRadio: { farmId: '01:01', channel: 4 },
  hasTwin: false,
};
const [UNKNOWN, READY, NOT_READY, WITH_ERRORS] = [1, 2, 3, 4];

describe('a spare', () => {
  it.each<[string, Partial<SpareFacts>, number | undefined, string[]]>([
    ['with exactly 70 % and 3 s is ready', {}, READY, []],
    ['3 s slow is ready', { clock: -3 }, READY, []],
    [
      'that said nothing of its battery, clock and mode is ready',
      { charge: null, clock: null, mode: null },
      READY,
      [],
    ],
    ['on a farm without units to compare with is ready', { farmRadio: null }, READY, []],
    [
      'never heard is unknown, whatever else',
      { isContacted: false, charge: 5 },
      UNKNOWN,
      ['never contacted'],
    ],
    ['with 69.9 % is not ready', { charge: 69.9 }, NOT_READY, ['battery below 70%']],
    ['3.1 s fast is not ready', { clock: 3.1 }, NOT_READY, ['clock drift above 3 seconds']],
    ['3.1 s slow is not ready', { clock: -3.1 }, NOT_READY, ['clock drift above 3 seconds']],
    ['that hibernates is not ready', { mode: 'Hibernate' }, NOT_READY, ['hibernating']],
    [
      'of another radio farm has errors',
      { radio: { farmId: '01:02', channel: 4 } },
      WITH_ERRORS,
      ['wrong farmID'],
    ],
    [
      'on another channel has errors',
      { radio: { farmId: '01:01', channel: 5 } },
      WITH_ERRORS,
      ['wrong channel'],
    ],
    [
      'with a twin has errors',
      { hasTwin: true },
      WITH_ERRORS,
      ['another faulty unit with the same serial number'],
    ],
    [
      'faulty by the stricter limits of its gateway has errors',
      { charge: 79, clock: -2.5, limits: { charge: 80, clock: 2 } },
      WITH_ERRORS,
      ['battery below 80%', 'clock drift above 2 seconds'],
    ],
    ['at those limits is ready', { charge: 80, clock: 2, limits: { charge: 80, clock: 2 } }, READY, []],
    [
      'below both is told of once',
      { charge: 60, clock: 5, limits: { charge: 80, clock: 2 } },
      NOT_READY,
      ['battery below 70%', 'clock drift above 3 seconds'],
    ],
    [
      'with reasons of both kinds is not ready, and says all of them',
      { charge: 10, radio: { farmId: '02:01', channel: 9 } },
      NOT_READY,
      ['battery below 70%', 'wrong farmID', 'wrong channel'],
    ],
  ])('%s', (_name, facts, status, reasons) => {
    expect(spareReadiness({ ...good, ...facts })).toEqual({ status, reasons });
  });

  it('is read as ready, not ready or unknown', () => {
    expect([1, 2, 3, 4, 9].map(readinessText)).toEqual([
      'Unknown',
      'Ready',
      'Not Ready',
      'Not Ready',
      'Unknown',
    ]);
  });
});
