import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiaryCounted, diarySum, evennessOf } from './diary-sums.ts';
import type { Outcome } from './match-runs.ts';

const gave = (unit: string, mm: number, more: Partial<DiaryCounted> = {}): DiaryCounted => {
  const same = (value: number) => ({ least: value, believed: value, most: value });
  return {
    unit,
    outcome: 'watered',
    isPart: false,
    isKept: false,
    isLengthKnown: true,
    plannedLitres: 7000,
    applied: { minutes: same(mm * 6), mm: same(mm), litres: same(mm * 1400) },
    ...more,
  };
};
const unknown = { outcome: 'not known' as const, applied: null, isLengthKnown: false };

describe('what entries come to', () => {
  it('is the mean, and the lowest quarter against it: 5, 5, 5, 5, 5, 5, 4, 2 mm', () => {
    const entries = [5, 5, 5, 5, 5, 5, 4, 2].map((mm, index) => gave(`A${index}`, mm));
    // (30 + 4 + 2) ÷ 8 = 4.5; (4 + 2) ÷ 2 = 3; 3 ÷ 4.5 = 0.667.
    expect(diarySum(entries)).toMatchObject({ meanMm: 4.5, evenness: expect.closeTo(0.667, 3), measured: 8 });
  });

  it('adds up what one sprinkler gave, and leaves out part circles and those of which something is not known', () => {
    const entries = [
      gave('A1', 5),
      gave('A1', 3),
      gave('A2', 4),
      gave('A3', 40, { isPart: true }),
      gave('A4', 6),
      gave('A4', 0, unknown),
    ];
    expect(diarySum(entries)).toMatchObject({ meanMm: 6, measured: 2, evenness: null });
  });

  it('counts what was missed as no water, and what was kept from not at all', () => {
    const nothing = gave('A2', 0, { outcome: 'missed' });
    const sum = diarySum([gave('A1', 5), nothing, { ...nothing, unit: 'A3', isKept: true }]);
    expect(sum).toMatchObject({ planned: 2, watered: 1, kept: 1, meanMm: 2.5, counts: { missed: 1 } });
  });

  it('has litres between what is certain and what is possible', () => {
    const bounds = { least: 0, believed: 100, most: 400 };
    const lost = gave('A2', 1, { applied: { minutes: bounds, mm: bounds, litres: bounds } });
    expect(diarySum([gave('A1', 1), lost]).litres).toEqual({ least: 1400, believed: 1500, most: 1800 });
  });

  it('has no litres where nothing is known, and what was planned as the most', () => {
    const lost = [gave('A1', 0, unknown), gave('A2', 0, unknown)];
    expect(diarySum(lost).litres).toEqual({ least: 0, believed: null, most: 14_000 });
    expect(diarySum([gave('A3', 1), ...lost]).litres).toEqual({ least: 1400, believed: 1400, most: 15_400 });
    // One that said that it stayed closed gave no water, which is known; one that was kept from it counts for nothing.
    const dry = gave('A3', 0, { outcome: 'missed' });
    expect(diarySum([dry, ...lost]).litres).toEqual({ least: 0, believed: 0, most: 14_000 });
    const kept = gave('A3', 0, { outcome: 'missed', isKept: true });
    expect(diarySum([kept, ...lost]).litres).toEqual({ least: 0, believed: null, most: 14_000 });
    expect(diarySum([kept]).litres).toEqual({ least: 0, believed: 0, most: 0 });
  });

  it.each<[Outcome, number, number]>([
    ['watered', 1, 1],
    ['long', 1, 1],
    ['late', 1, 1],
    ['short', 1, 0],
    ['not known', 1, 0],
    ['by hand', 0, 0],
    ['unplanned', 0, 0],
  ])('%s: planned %i, watered %i', (outcome, planned, watered) => {
    expect(diarySum([gave('A1', 5, { outcome })])).toMatchObject({ planned, watered });
  });
});

it('evenness is 1 where all got the same, never more, and none where no water fell', () => {
  expect(evennessOf([5, 5, 5, 5])).toBe(1);
  expect(evennessOf([0, 0, 0, 0])).toBeNull();
  expect(evennessOf([5, 5, 5])).toBeNull();
  const depths = fc.array(fc.double({ min: 0.1, max: 50, noNaN: true }), { minLength: 4, maxLength: 40 });
  fc.assert(
    fc.property(depths, (mm) => {
      expect(evennessOf(mm)).toBeGreaterThanOrEqual(0);
      expect(evennessOf(mm)).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});
