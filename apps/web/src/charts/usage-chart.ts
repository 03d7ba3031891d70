import type { EChartsOption } from 'echarts';
import type { UsagePoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import { baseOption, fittingEnd, paletteFor, ruledAxis, tipOfOne, type ChartFrame } from './chart-base.ts';
import { usualStep } from './gaps.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Room that the numbers at the axis take, px. */
const AXIS_PX = 70;

/** What is drawn of a point. */
export type DrawnUsage = Pick<UsagePoint, 'time' | 'litreValue' | 'generated'>;

/** What a column is an amount of. */
export interface Amounts {
  name: string;
  unit: string;
}

/** Amounts, a column for each hour or day. A column stands over the whole of its time. */
export function usageOption(
  points: readonly DrawnUsage[],
  frame: ChartFrame,
  { name, unit }: Amounts = { name: 'Used', unit: 'L' },
): EChartsOption {
  const palette = paletteFor(frame);
  const times = points.map(({ time }) => Date.parse(time));
  const step = usualStep(times) || (frame.isDaily ? DAY : HOUR);
  const middle = (index: number) => (times[index] ?? 0) + step / 2;
  const bins = points.map(({ litreValue, generated }, index) => {
    const value: [number, number] = [middle(index), litreValue];
    return generated ? { value, itemStyle: { opacity: 0.45 } } : value;
  });
  const shared = new Set(points.flatMap(({ generated }, index) => (generated ? [middle(index)] : [])));
  // The last column stands for a whole day or hour, also while that isn't over.
  const to = Math.max(frame.to, (times.at(-1) ?? 0) + step);
  const columnPx = ((frame.width - AXIS_PX) / Math.max(1, (to - frame.from) / step)) * 0.68;
  const usedRow = (litres: number, at: number) => ({
    name: shared.has(at) ? `${name}, shared out over a silence` : name,
    text: `${numberText(litres)} ${unit}`.trim(),
    colour: palette.water,
  });
  return {
    ...baseOption({ ...frame, to }),
    yAxis: ruledAxis(palette, unit, fittingEnd(Math.max(0, ...points.map(({ litreValue }) => litreValue)))),
    tooltip: { ...tipOfOne(frame, usedRow, step / 2), axisPointer: { type: 'none' } },
    series: [
      {
        type: 'bar',
        name,
        data: bins,
        barWidth: Math.max(1.5, Math.min(40, columnPx)),
        itemStyle: { color: palette.water, borderRadius: columnPx > 6 ? [3, 3, 0, 0] : 0 },
        emphasis: { itemStyle: { color: palette.water, opacity: 0.75 } },
      },
    ],
  };
}
