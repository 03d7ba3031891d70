import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviseCycles, type DayWater, depletionAfter } from './advise-depth.ts';

const soil = { tawMm: 60, easyShare: 0.5 };
const day: DayWater = { et0Mm: 4.5, kc: 1, rainMm: 0, appliedMm: 0, efficiency: 0.85 };

describe('what a soil of 60 mm lacks after a day of 4.5 mm', () => {
  it.each([
    ['without water', 21, {}, 25.5],
    // 0.85 × 5 mm.
    ['with 5 mm from sprinklers', 21, { appliedMm: 5 }, 21.25],
    ['with rain under a fifth of that, which doesn’t count', 21, { rainMm: 0.8 }, 25.5],
    ['with rain of a fifth', 21, { rainMm: 0.9 }, 24.6],
    ['half as thirsty where it is dry: (60 − 45) ÷ 30', 45, {}, 47.25],
    ['full after a downpour', 21, { rainMm: 80 }, 0],
    ['and never more than it holds', 60, { kc: 1.2 }, 60],
  ])('%s', (_, before, more, after) => {
    expect(depletionAfter(before, soil, { ...day, ...more })).toBeCloseTo(after, 9);
  });

  it('lies between nothing and what it holds', () => {
    const mm = fc.double({ min: 0, max: 60, noNaN: true });
    fc.assert(
      fc.property(mm, mm, mm, (before, rainMm, appliedMm) => {
        const after = depletionAfter(before, soil, { ...day, rainMm, appliedMm });
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(60);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('cycles of 5 mm, due at 65 % of 60 mm and up to 80 %', () => {
  const options = { tawMm: 60, etcMm: 4.5, cycleMm: 5, roundDays: 0, triggerShare: 0.65, targetShare: 0.8 };
  it.each([
    // 21 − 12 = 9 mm: two would be 10.
    ['65 %: one', 21, 0, 1],
    ['65.8 %, the day after: none', 20.5, 0, 0],
    // 25 − 12 = 13 mm.
    ['58 %, the day after that: two', 25, 0, 2],
    ['65.8 %, and it takes a day to come round: one', 20.5, 1, 1],
    ['73 %, and it takes a day: none', 16, 1, 0],
  ])('%s', (_, depletionMm, roundDays, cycles) => {
    expect(adviseCycles(depletionMm, { ...options, roundDays })).toBe(cycles);
  });

  it('is one at least when it is due, also of more than is lacking', () => {
    expect(adviseCycles(7, { ...options, tawMm: 20 })).toBe(1);
  });
});
