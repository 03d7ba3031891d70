import type { EChartsOption } from 'echarts';
import type { UsagePoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import { baseOption, paletteFor, tipOfOne, valueAxis, type ChartFrame } from './chart-base.ts';
import { usualStep } from './gaps.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Room that the numbers at the axis take, px. */
const AXIS_PX = 70;

/** Litres used, a column for each hour or day. A column stands over the whole of its time. */
export function usageOption(points: readonly UsagePoint[], frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const times = points.map(({ time }) => Date.parse(time));
  const step = usualStep(times) || (frame.isDaily ? DAY : HOUR);
  const bins = points.map(({ litreValue }, index): [number, number] => [
    (times[index] ?? 0) + step / 2,
    litreValue,
  ]);
  // The last column stands for a whole day or hour, also while that isn't over.
  const to = Math.max(frame.to, (times.at(-1) ?? 0) + step);
  const columnPx = ((frame.width - AXIS_PX) / Math.max(1, (to - frame.from) / step)) * 0.68;
  const usedRow = (litres: number) => ({
    name: 'Used',
    text: `${numberText(litres)} L`,
    colour: palette.water,
  });
  return {
    ...baseOption({ ...frame, to }),
    yAxis: valueAxis(palette, 'L', { min: 0, minInterval: 1, splitNumber: 4 }),
    tooltip: { ...tipOfOne(frame, usedRow, step / 2), axisPointer: { type: 'none' } },
    series: [
      {
        type: 'bar',
        name: 'Used',
        data: bins,
        barWidth: Math.max(1.5, Math.min(40, columnPx)),
        itemStyle: { color: palette.water, borderRadius: columnPx > 6 ? [3, 3, 0, 0] : 0 },
        emphasis: { itemStyle: { color: palette.water, opacity: 0.75 } },
      },
    ],
  };
}
