import { baseOption, tipOfOne, type ChartFrame } from './chart-base.ts';
import type { Point } from './gaps.ts';

export interface OneLine {
  name: string;
  colour: string;
  /** In the tip, where it isn't the same at every time; epoch ms. */
  nameAt?: (at: number) => string;
  /** Of a value, in the tip. */
  textOf: (value: number) => string;
  /** Whether the colour fills what is under the line. */
  isFilled?: boolean;
  /** Each value until the next is known. */
  step?: 'end';
}

/** What wasn't measured, beside a line: faint and dotted. */
export const guessedLine = (data: Point[], name: string, colour: string) => ({
  type: 'line' as const,
  id: 'generated',
  name,
  data,
  showSymbol: false,
  lineStyle: { width: 1.5, type: 'dotted' as const, color: colour, opacity: 0.55 },
  itemStyle: { color: colour, opacity: 0.55 },
});

/** A chart of one line over time; its axis is the caller's. */
export function oneLine(data: Point[], line: OneLine, frame: ChartFrame) {
  const { name, colour, textOf, nameAt, isFilled = false, step } = line;
  return {
    ...baseOption(frame),
    tooltip: tipOfOne(frame, (value, at) => ({ name: nameAt?.(at) ?? name, text: textOf(value), colour })),
    series: [
      {
        type: 'line' as const,
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
