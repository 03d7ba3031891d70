import { expect, test } from 'vitest';
import { type CountedDay, healthHistoryOption, unknownStretches } from './health-history-chart.ts';

const DAY = 86_400_000;
const first = Date.parse('2026-11-17T11:00:00Z');
/** The 18th and what follows, in a New Zealand summer. */
const days = (...values: (number | null)[]): CountedDay[] =>
  values.map((value, nth) => ({
    date: `2026-11-${18 + nth}`,
    start: first + nth * DAY,
    end: first + (nth + 1) * DAY,
    value,
  }));
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };

test('days of which nothing is known are told as stretches', () => {
  expect(unknownStretches(days(null, null, 3, null, 0))).toEqual([
    { start: first, end: first + 2 * DAY },
    { start: first + 3 * DAY, end: first + 4 * DAY },
  ]);
});

test('a day with none has a column, a day that is not known has none and is shaded', () => {
  const frame = {
    zone,
    scheme: 'light',
    from: first,
    to: first + 3 * DAY,
    width: 800,
    isDaily: true,
  } as const;
  const option = healthHistoryOption(days(0, null, 7), { name: 'Low battery', chosen: '2026-11-20' }, frame);
  const { series, yAxis } = option as unknown as {
    series: {
      data: { value: [number, number]; itemStyle: { color: string } }[];
      markArea: { data: [{ xAxis: number }, { xAxis: number }][] };
    }[];
    yAxis: { max: number };
  };
  expect(series[0]?.data.map(({ value }) => value)).toEqual([
    [first + DAY / 2, 0],
    [first + 2.5 * DAY, 7],
  ]);
  const colours = series[0]?.data.map(({ itemStyle }) => itemStyle.color);
  expect(colours?.[0]).not.toBe(colours?.[1]);
  expect(series[0]?.markArea.data.map(([from, to]) => [from.xAxis, to.xAxis])).toEqual([
    [first + DAY, first + 2 * DAY],
  ]);
  expect(yAxis.max).toBe(8);
});

test.each([
  [0, 5],
  [6, 6],
  [12, 15],
  [13, 15],
  [49, 50],
  [120, 150],
  [4999, 5000],
])('of %i at most the axis ends at %i: it counts whole sprinklers', (most, end) => {
  const frame = { zone, scheme: 'light', from: first, to: first + DAY, width: 800, isDaily: true } as const;
  const { yAxis } = healthHistoryOption(days(most), { name: 'Low battery', chosen: undefined }, frame);
  const { max, interval } = yAxis as { max: number; interval: number };
  expect([max, Number.isInteger(interval), max % interval]).toEqual([end, true, 0]);
});
