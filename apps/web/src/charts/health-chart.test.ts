import { expect, test } from 'vitest';
import type { SprinklerHealth } from '@headrace/contract/health';
import { healthFigures, healthOption, percentText } from './health-chart.ts';

const health: SprinklerHealth = {
  minClock: 80,
  curClock: 92.5,
  maxClock: 100,
  minBattery: null,
  curBattery: 66.6,
  maxBattery: null,
  minSchedule: 0,
  curSchedule: 100,
  maxSchedule: 100,
  inContact: 40,
  total: 42,
  days: 12,
  since: '2026-11-09',
};

test('has a column for the lowest, the present and the highest of each error, and none for what is not known', () => {
  const { series, xAxis } = healthOption(health, 'light') as unknown as {
    series: { name: string; data: (number | null)[] }[];
    xAxis: { data: string[] };
  };
  expect(xAxis.data).toEqual(['Clock', 'Battery', 'Schedule']);
  expect(series.map(({ name, data }) => [name, data])).toEqual([
    ['Minimum', [80, null, 0]],
    ['Now', [92.5, 66.6, 100]],
    ['Maximum', [100, null, 100]],
  ]);
});

test('says percentages in words, also of what is not known', () => {
  expect(healthFigures(health).map(({ name, min }) => `${name} ${percentText(min)}`)).toEqual([
    'Clock 80 %',
    'Battery –',
    'Schedule 0 %',
  ]);
});
