import type { EChartsOption } from 'echarts';
import { flowHistoryAxisMax } from '@headrace/contract/rules/flow';
import type { FlowPoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import {
  baseOption,
  baseTooltip,
  paletteFor,
  tipParams,
  tipValue,
  ruledAxis,
  tooltipElement,
  type ChartFrame,
} from './chart-base.ts';
import { withGaps } from './gaps.ts';

/** Mean flow in L/min. */
export function flowOption(points: readonly FlowPoint[], frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const line = withGaps(points.map(({ time, avgLitrePerMinute }) => [Date.parse(time), avgLitrePerMinute]));
  const peak = Math.max(0, ...points.map(({ avgLitrePerMinute }) => avgLitrePerMinute ?? 0));
  return {
    ...baseOption(frame),
    yAxis: ruledAxis(palette, 'L/min', flowHistoryAxisMax(peak)),
    tooltip: {
      ...baseTooltip(frame),
      formatter: (params: unknown) => {
        const [at, value] = tipParams(params).map(tipValue)[0] ?? [0, null];
        if (value === null) return '';
        return tooltipElement(frame, at, [
          { name: 'Flow', text: `${numberText(value, 1)} L/min`, colour: palette.water },
        ]);
      },
    },
    series: [
      {
        type: 'line',
        name: 'Flow',
        data: line,
        showSymbol: line.length < 3,
        lineStyle: { width: 2, color: palette.water },
        itemStyle: { color: palette.water },
        areaStyle: { color: palette.water, opacity: 0.1 },
      },
    ],
  };
}
