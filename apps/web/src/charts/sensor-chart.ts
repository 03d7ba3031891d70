import type { EChartsOption } from 'echarts';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { numberText } from '../ui/format.ts';
import { paletteFor, valueAxis, type ChartFrame } from './chart-base.ts';
import type { ChartPalette } from './chart-palette.ts';
import { withGaps, type Point } from './gaps.ts';
import { oneLine } from './one-line.ts';

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
    ...oneLine(withGaps(points), line, frame),
    yAxis: valueAxis(palette, unit, { scale: true, splitNumber: 4, ...axis }),
  };
}

export const stateText = (value: number): string => (value > 0 ? 'On' : 'Off');

/** On and off, each until the next is known: a switch that says little between two changes has no gap there. */
export function stateOption(
  points: readonly Point[],
  name: string,
  frame: ChartFrame,
  textOf: (value: number) => string = stateText,
): EChartsOption {
  const palette = paletteFor(frame);
  const states = points.map(([at, value]): Point => [at, value === null ? null : Number(value > 0)]);
  const line = { name, colour: palette.water, textOf, isFilled: true, step: 'end' as const };
  const axis = valueAxis(palette, '', { min: 0, max: 1, interval: 1 });
  return {
    ...oneLine(withGaps(states, TANK_OUT_OF_CONTACT_MS), line, frame),
    yAxis: { ...axis, axisLabel: { ...axis.axisLabel, formatter: textOf } },
  };
}
