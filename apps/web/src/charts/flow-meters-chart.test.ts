import { describe, expect, it, test } from 'vitest';
import { flowText, metersAxisMax, metersOption, meterRows, type MeterArea } from './flow-meters-chart.ts';
import type { Point } from './gaps.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const D = 86_400_000;
const start = Date.parse('2026-11-14T11:00:00Z');
const frame = { zone, scheme: 'light', from: start, to: start + 4 * D, width: 700, isDaily: true } as const;
const days = (...values: (number | null)[]): Point[] => values.map((value, n) => [start + n * D, value]);
const meter = (nth: number, ...values: (number | null)[]): MeterArea => ({
  name: `Meter ${nth}`,
  nth,
  points: days(...values),
});

interface Drawn {
  yAxis: { max: number; interval: number; axisLabel: { showMaxLabel: boolean } };
  series: { name: string; data: Point[]; areaStyle?: { color: string; opacity: number } }[];
  tooltip: { formatter: (params: unknown) => HTMLElement | string };
}
const draw = (meters: MeterArea[], unit: 'lps' | 'lph' | 'm3pd' = 'lps', isSummary = true) =>
  metersOption({ meters, unit, isSummary }, frame) as unknown as Drawn;

// 0.5 L/s are 0.5 × 3600 = 1800 L/h and 0.5 × 86.4 = 43.2 m³ a day.
test.each([
  ['lps', 0.5, '0.50 L/s'],
  ['lph', 1800, '1,800 L/h'],
  ['m3pd', 43.2, '43.2 m³/day'],
] as const)('half a litre a second in %s', (unit, value, text) => {
  const [row] = meterRows([meter(0, 0.5)], unit);
  expect(row?.values[0]).toBeCloseTo(value, 9);
  expect(flowText(value, unit)).toBe(text);
});

describe('the axis', () => {
  test.each([
    // Ten times the unit's factor: 10 × 1, 10 × 3600, 10 × 86.4.
    [3, 'lps', true, 10],
    [1800, 'lph', true, 36_000],
    [43.2, 'm3pd', true, 864],
    // 12 L/s stand above 10: 20.
    [12, 'lps', true, 20],
    // Other periods: ten times the ninth of the peak, rounded up. 1800 / 9 = 200; 43.2 / 9 = 4.8, so 5.
    [1800, 'lph', false, 2000],
    [43.2, 'm3pd', false, 50],
    [0, 'lps', false, 10],
  ] as const)('for a peak of %s %s (summary: %s) ends at %s', (peak, unit, isSummary, max) => {
    expect(metersAxisMax(peak, unit, isSummary)).toBe(max);
  });
  test.each([
    // 17,130 / 9 = 1903.3, so it ends at 19,040, of which a fifth is 3808: 5000 is the next round number.
    [17_130 / 3600, 'lph', 5000, false],
    // 53 m³ a day: 60, a fifth is 12.
    [53 / 86.4, 'm3pd', 20, true],
    // 86 / 9 = 9.6: 100, in steps of 20.
    [86, 'lps', 20, true],
  ] as const)('for %s L/s has round numbers in %s', (peak, unit, interval, isEndLabelled) => {
    const { yAxis } = draw([meter(0, peak, 0)], unit, false);
    expect(yAxis.interval).toBeCloseTo(interval, 6);
    expect(yAxis.axisLabel.showMaxLabel).toBe(isEndLabelled);
  });
  it('never cuts the sum of the meters', () => {
    // 6 + 7 = 13 L/s.
    expect(draw([meter(0, 6, 6), meter(1, 7, 7)]).yAxis.max).toBe(20);
  });
});

describe('the areas', () => {
  const drawn = draw([meter(0, 1, 2, null, 4, 5), meter(1, 10, 20, 30, 40, 50)]);
  it('are filled from the highest down, each over what is beneath it', () => {
    expect(drawn.series.map(({ name }) => name)).toEqual(['Meter 1', 'Meter 0']);
    expect(drawn.series.every(({ areaStyle }) => areaStyle?.opacity === 1)).toBe(true);
  });
  it('keep a gap where a meter was silent', () => {
    expect(drawn.series[1]?.data.map(([at, value]) => [(at - start) / D, value])).toEqual([
      [0, 1],
      [1, 2],
      [1, null],
      [3, 4],
      [4, 5],
    ]);
  });
  it('say each meter and their sum; no sum while one is silent', () => {
    const tip = (n: number) => {
      const found = drawn.tooltip.formatter([{ value: [start + n * D, 1] }]);
      return typeof found === 'string' ? found : found.textContent;
    };
    expect(tip(1)).toBe('16 Nov 2026Together22.00 L/sMeter 120.00 L/sMeter 02.00 L/s');
    expect(tip(2)).toBe('17 Nov 2026Meter 130.00 L/sMeter 0–');
  });
  it('keep their colours when another is hidden', () => {
    const alone = draw([meter(1, 10, 20)]).series[0]?.areaStyle?.color;
    expect(alone).toBe(drawn.series[0]?.areaStyle?.color);
  });
});
