import type { EChartsOption } from 'echarts';
import type { BatteryLife } from '@headrace/contract/battery-life';
import { numberText } from '../ui/format.ts';
import {
  baseTooltip,
  type ChartFrame,
  limitLine,
  paletteFor,
  tipParams,
  tooltipElement,
  tipValue,
  valueAxis,
} from './chart-base.ts';
import type { ChartPalette } from './chart-palette.ts';
import { withGaps } from './gaps.ts';
import { oneLine } from './one-line.ts';

type Drawn = Pick<BatteryLife, 'charge' | 'changes' | 'threshold'>;
type Change = BatteryLife['changes'][number];

/** What happened to a battery, as the chart and the list below it call it. */
export const changeLabels: Record<Change['how'], string> = {
  battery: 'New battery',
  unit: 'Another unit',
};

/** A battery's charge in percent, below what it is low, and when it became another battery's. */
export function chargeOption({ charge, changes, threshold }: Drawn, frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const textOf = (value: number) => `${numberText(value)} %`;
  const points = withGaps(charge.map(({ time, value }) => [Date.parse(time), value]));
  const plain = oneLine(points, { name: 'Battery', colour: palette.ok, textOf, isFilled: true }, frame);
  const low = limitLine(palette, threshold, `Low below ${textOf(threshold)}`, palette.issue);
  return {
    ...plain,
    yAxis: valueAxis(palette, '%', { min: 0, max: 100, interval: frame.width < 480 ? 50 : 25 }),
    tooltip: { ...baseTooltip(frame), formatter: (params) => tip(charge, params, frame) },
    series: plain.series.map((line) => ({
      ...line,
      markLine: {
        silent: true,
        symbol: 'none',
        data: [low, ...changes.map((change) => changeLine(change, palette, frame))],
      },
      markArea: {
        silent: true,
        data: [[{ yAxis: 0, itemStyle: { color: palette.issue, opacity: 0.06 } }, { yAxis: threshold }]],
      },
    })),
  };
}

/** Upright, with its words above the chart and away from its nearer side. */
function changeLine({ at, how }: Change, palette: ChartPalette, { from, to }: ChartFrame) {
  const time = Date.parse(at);
  return {
    xAxis: time,
    lineStyle: { color: palette.second, type: 'solid' as const, width: 1.5 },
    label: {
      formatter: changeLabels[how],
      position: 'end' as const,
      align: time < (from + to) / 2 ? ('left' as const) : ('right' as const),
      color: palette.text,
      fontSize: 11.5,
    },
  };
}

/** Of a day also its lowest and highest. */
function tip(charge: Drawn['charge'], params: unknown, frame: ChartFrame) {
  const at = tipParams(params).map(tipValue)[0]?.[0];
  const point = charge.find(({ time }) => Date.parse(time) === at);
  if (!point || point.value === null) return '';
  const colour = paletteFor(frame).ok;
  const rows = [
    { name: frame.isDaily ? 'Mean' : 'Battery', value: point.value },
    { name: 'Lowest', value: point.lowest },
    { name: 'Highest', value: point.highest },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, text: `${numberText(value)} %`, colour }]));
  return tooltipElement(frame, Date.parse(point.time), rows);
}
