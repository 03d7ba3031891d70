import type { EChartsOption } from 'echarts';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { numberText } from '../ui/format.ts';
import {
  baseOption,
  baseTooltip,
  paletteFor,
  tipParams,
  tipValue,
  tooltipElement,
  valueAxis,
  type ChartFrame,
} from './chart-base.ts';
import type { ChartPalette } from './chart-palette.ts';
import { withGaps, type Point } from './gaps.ts';

export interface SensorLine {
  name: string;
  unit: string;
  /** Digits behind the point, in the tip. */
  digits: number;
  colour: (palette: ChartPalette) => string;
  /** `min`, `max` and the like; a line whose axis has none is drawn as large as it fits. */
  axis: object;
}

/** One measure over time, in its unit; gaps stay gaps. */
export function lineOption(
  points: readonly Point[],
  { name, unit, digits, colour, axis }: SensorLine,
  frame: ChartFrame,
): EChartsOption {
  const palette = paletteFor(frame);
  const line = {
    name,
    colour: colour(palette),
    textOf: (value: number) => `${numberText(value, digits)} ${unit}`,
  };
  return {
    ...oneSeries(withGaps(points), line, frame),
    yAxis: valueAxis(palette, unit, { scale: true, splitNumber: 4, ...axis }),
  };
}

export const stateText = (value: number): string => (value > 0 ? 'On' : 'Off');

/** On and off, each until the next is known: a switch that says little between two changes has no gap there. */
export function stateOption(points: readonly Point[], name: string, frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const states = points.map(([at, value]): Point => [at, value === null ? null : Number(value > 0)]);
  const line = { name, colour: palette.water, textOf: stateText, step: 'end' as const };
  const axis = valueAxis(palette, '', { min: 0, max: 1, interval: 1 });
  return {
    ...oneSeries(withGaps(states, TANK_OUT_OF_CONTACT_MS), line, frame),
    yAxis: { ...axis, axisLabel: { ...axis.axisLabel, formatter: stateText } },
  };
}

interface Drawn {
  name: string;
  colour: string;
  textOf: (value: number) => string;
  step?: 'end';
}

function oneSeries(data: Point[], { name, colour, textOf, step }: Drawn, frame: ChartFrame): EChartsOption {
  return {
    ...baseOption(frame),
    tooltip: {
      ...baseTooltip(frame),
      formatter: (params: unknown) => {
        const [at, value] = tipParams(params).map(tipValue)[0] ?? [0, null];
        return value === null ? '' : tooltipElement(frame, at, [{ name, text: textOf(value), colour }]);
      },
    },
    series: [
      {
        type: 'line',
        name,
        data,
        ...(step && { step, areaStyle: { color: colour, opacity: 0.1 } }),
        showSymbol: data.length < 3,
        lineStyle: { width: 2, color: colour },
        itemStyle: { color: colour },
      },
    ],
  };
}
