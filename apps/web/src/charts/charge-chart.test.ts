import { expect, test } from 'vitest';
import type { BatteryLife } from '@headrace/contract/battery-life';
import { chargeOption } from './charge-chart.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-11-20T11:00:00Z');
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const frame = { zone, scheme: 'light', from: start, to: start + 24 * HOUR, width: 700 } as const;
const at = (hours: number) => new Date(start + hours * HOUR).toISOString();
const point = (hours: number, value: number | null, lowest: number | null = null) => ({
  time: at(hours),
  value,
  lowest,
  highest: lowest === null || value === null ? null : value + 1,
});
const life = (over: Partial<BatteryLife> = {}): BatteryLife => ({
  charge: [point(0, 60), point(1, 59), point(2, 58), point(9, 88)],
  span: 'reading',
  changes: [
    { at: at(4), how: 'battery', by: 'Ann' },
    { at: at(20), how: 'unit', by: '' },
  ],
  threshold: 50,
  ...over,
});

interface Line {
  data: [number, number | null][];
  markLine: { data: { xAxis?: number; yAxis?: number; label: { formatter: string; align?: string } }[] };
}
const lineOf = (given: BatteryLife) =>
  (chargeOption(given, { ...frame, isDaily: false }) as { series: [Line] }).series[0];

test('the line stops where nothing was heard, and a lost value is not bridged', () => {
  expect(lineOf(life()).data).toEqual([
    [start, 60],
    [start + HOUR, 59],
    [start + 2 * HOUR, 58],
    [start + 3 * HOUR, null],
    [start + 9 * HOUR, 88],
  ]);
});

test('it marks below what the battery is low, and each replacement, written towards the middle', () => {
  const marks = lineOf(life()).markLine.data.map(({ xAxis, yAxis, label }) => [
    xAxis ?? yAxis,
    label.formatter,
    label.align,
  ]);
  expect(marks).toEqual([
    [50, 'Low below 50 %', undefined],
    [start + 4 * HOUR, 'New battery', 'left'],
    [start + 20 * HOUR, 'Another unit', 'right'],
  ]);
});

test('of a day its mean, lowest and highest are told', () => {
  const option = chargeOption(life({ charge: [point(0, 60, 55)] }), { ...frame, isDaily: true });
  const { formatter } = option.tooltip as { formatter: (params: unknown) => HTMLElement };
  const rows = [...formatter([{ value: [start, 60] }]).querySelectorAll('.chartTipRow')];
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Mean60 %', 'Lowest55 %', 'Highest61 %']);
});
