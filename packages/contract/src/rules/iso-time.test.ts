import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

it('a time is written as Date writes it, from year 0 to 9999 and across days', () => {
  const times = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
  fc.assert(
    fc.property(fc.array(times), (all) => {
      expect(all.map(isoTime)).toEqual(all.map((at) => new Date(at).toISOString()));
    }),
  );
  expect([-1, 0, 86_399_999, 86_400_000, 1.9].map(isoTime)).toEqual([
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T23:59:59.999Z',
    '1970-01-02T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
  ]);
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});
