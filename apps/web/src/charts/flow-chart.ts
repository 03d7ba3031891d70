import type { EChartsOption } from 'echarts';
import { flowHistoryAxisMax } from '@headrace/contract/rules/flow';
import type { FlowPoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import { paletteFor, ruledAxis, type ChartFrame } from './chart-base.ts';
import { withGaps } from './gaps.ts';
import { oneLine } from './one-line.ts';

/** Mean flow in L/min. */
export function flowOption(points: readonly FlowPoint[], frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const data = withGaps(points.map(({ time, avgLitrePerMinute }) => [Date.parse(time), avgLitrePerMinute]));
  const peak = points.reduce((most, { avgLitrePerMinute }) => Math.max(most, avgLitrePerMinute ?? 0), 0);
  const textOf = (value: number) => `${numberText(value, 1)} L/min`;
  return {
    ...oneLine(data, { name: 'Flow', colour: palette.water, textOf, isFilled: true }, frame),
    yAxis: ruledAxis(palette, 'L/min', flowHistoryAxisMax(peak)),
  };
}
