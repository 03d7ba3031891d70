import type { EChartsOption } from 'echarts';
import { baseOption, tipOfOne, type ChartFrame } from './chart-base.ts';
import type { Point } from './gaps.ts';

export interface OneLine {
  name: string;
  colour: string;
  /** Of a value, in the tip. */
  textOf: (value: number) => string;
  /** Whether the colour fills what is under the line. */
  isFilled?: boolean;
  /** Each value until the next is known. */
  step?: 'end';
}

/** A chart of one line over time; its axis is the caller's. */
export function oneLine(data: Point[], line: OneLine, frame: ChartFrame): EChartsOption {
  const { name, colour, textOf, isFilled = false, step } = line;
  return {
    ...baseOption(frame),
    tooltip: tipOfOne(frame, (value) => ({ name, text: textOf(value), colour })),
    series: [
      {
        type: 'line',
        name,
        data,
        ...(step && { step }),
        ...(isFilled && { areaStyle: { color: colour, opacity: 0.1 } }),
        showSymbol: data.length < 3,
        lineStyle: { width: 2, color: colour },
        itemStyle: { color: colour },
      },
    ],
  };
}
