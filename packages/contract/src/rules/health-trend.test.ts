import { describe, expect, it } from 'vitest';
import { historyType, historyTypes } from './health-figures.ts';
import { healthTrend, TREND_WEEKS, trendDays } from './health-trend.ts';

const YESTERDAY = '2026-11-21';
const dayBack = (back: number) =>
  new Date(Date.parse(`${YESTERDAY}T00:00:00Z`) - back * 86_400_000).toISOString().slice(0, 10);
/** Counts by kind of days, by how far back they are. */
type Days = Record<number, Partial<Record<keyof typeof historyType, number>> & { inContact?: number }>;
const trend = (days: Days) =>
  healthTrend(
    historyTypes.map((_name, type) => {
      const name = Object.entries(historyType).find(
        ([, number]) => number === type,
      )?.[0] as keyof typeof historyType;
      return {
        data: Object.entries(days)
          .map(([back, counts]) => ({
            date: dayBack(Number(back)),
            value: counts[name] ?? 0,
            inContact: counts.inContact ?? 50,
            units: [],
          }))
          .toSorted((one, other) => (one.date < other.date ? -1 : 1)),
      };
    }),
    YESTERDAY,
  );

describe('the history of a farm by week', () => {
  it('is of 52 whole weeks up to yesterday', () => {
    const weeks = trend({});
    expect(trendDays(YESTERDAY)).toEqual({ start: '2025-11-23', stop: YESTERDAY });
    expect(weeks).toHaveLength(TREND_WEEKS);
    expect([weeks[0]?.start, weeks[0]?.stop, weeks.at(-1)?.start, weeks.at(-1)?.stop]).toEqual([
      '2025-11-23',
      '2025-11-29',
      '2026-11-15',
      YESTERDAY,
    ]);
  });

  it('is the mean of the days that are known, with the lowest and highest; swaps are added up', () => {
    // 3 + 4 + 8 of three days: 5; the other four days were not counted.
    const last = trend({
      0: { battery: 3, swaps: 1, regular: 50 },
      1: { battery: 4, swaps: 2, regular: 50 },
      5: { battery: 8, regular: 50 },
    }).at(-1);
    expect(last?.known).toBe(3);
    expect(last?.counts[historyType.battery]).toEqual({ value: 5, least: 3, most: 8 });
    expect(last?.counts[historyType.swaps]).toEqual({ value: 3, least: 0, most: 2 });
    expect(last?.inService).toBe(50);
  });

  it('leaves a gap where no day was counted, and never a zero', () => {
    const weeks = trend({ 0: { regular: 50 } });
    expect(weeks.at(-2)).toMatchObject({ known: 0, inService: null, isChanged: false });
    expect(weeks.at(-2)?.counts.every((count) => count === null)).toBe(true);
  });

  it('knows no errors of a farm of which nobody was heard, and that nobody was', () => {
    const last = trend({ 0: { outOfContact: 50, inContact: 0 } }).at(-1);
    const known = historyTypes.filter((_name, type) => last?.counts[type] !== null);
    expect(known).toEqual(['Out of contact', 'Occasional contact', 'Spares', 'Swaps', 'Regular contact']);
    expect(last?.counts[historyType.outOfContact]?.value).toBe(50);
  });

  it.each([
    [110, false],
    [111, true],
    [90, false],
    [89, true],
  ])('marks a week in which 100 sprinklers became %i: %s, over a gap too', (then, isChanged) => {
    expect(
      trend({ 0: { regular: then }, 21: { regular: 80, occasional: 15, outOfContact: 5 } }).at(-1)?.isChanged,
    ).toBe(isChanged);
  });

  it('marks the week in the middle of which 100 became 112, though the means of both weeks differ by less, and only that one', () => {
    const days = Object.fromEntries(
      Array.from({ length: 28 }, (_none, back) => [back, { regular: back < 10 ? 112 : 100 }]),
    );
    expect(
      trend(days)
        .slice(-4)
        .map(({ isChanged }) => isChanged),
    ).toEqual([false, false, true, false]);
  });
});
