import type { EChartsOption } from 'echarts';
import type { SprinklerHealth } from '@headrace/contract/health';
import { numberText } from '../ui/format.ts';
import type { Scheme } from '../ui/tokens.ts';
import { FONT, valueAxis } from './chart-base.ts';
import { chartPalettes, mixed } from './chart-palette.ts';

export interface HealthFigure {
  name: string;
  /** %; null: not known. */
  min: number | null;
  now: number | null;
  max: number | null;
}

export const healthFigures = (health: SprinklerHealth): HealthFigure[] => [
  { name: 'Clock', min: health.minClock, now: health.curClock, max: health.maxClock },
  { name: 'Battery', min: health.minBattery, now: health.curBattery, max: health.maxBattery },
  { name: 'Schedule', min: health.minSchedule, now: health.curSchedule, max: health.maxSchedule },
];

/** "66.6 %" */
export const percentText = (percent: number | null): string =>
  percent === null ? '–' : `${shareText(percent)} %`;
const shareText = (percent: number) => numberText(percent, Number.isInteger(percent) ? 0 : 1);

const COLUMNS = [
  { name: 'Minimum', member: 'min', share: 0.35 },
  { name: 'Now', member: 'now', share: 1 },
  { name: 'Maximum', member: 'max', share: 0.6 },
] as const;

/** Lowest, present and highest percentage of each error, as columns beside each other; what isn't known has none. */
export function healthOption(health: SprinklerHealth, scheme: Scheme): EChartsOption {
  const palette = chartPalettes[scheme];
  const figures = healthFigures(health);
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: palette.dim },
    grid: {
      left: 8,
      right: 16,
      top: 34,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { top: 0, textStyle: { color: palette.text }, icon: 'roundRect', itemWidth: 12, itemHeight: 12 },
    xAxis: {
      type: 'category',
      data: figures.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.line } },
      axisLabel: { color: palette.text, fontSize: 13 },
    },
    yAxis: valueAxis(palette, '%', { min: 0, max: 100, interval: 25 }),
    series: COLUMNS.map(({ name, member, share }) => ({
      type: 'bar',
      name,
      data: figures.map((figure) => figure[member]),
      barMaxWidth: 40,
      itemStyle: { color: mixed(palette.ok, palette.paper, share), borderRadius: [3, 3, 0, 0] },
      label: {
        show: true,
        position: 'top',
        color: palette.text,
        fontSize: 11,
        formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? shareText(value) : ''),
      },
    })),
  };
}
