import type { EChartsOption } from 'echarts';
import { numberText } from '../ui/format.ts';
import { baseOption, paletteFor, ruledAxis, tipOfOne, type ChartFrame } from './chart-base.ts';

const DAY = 86_400_000;
/** Room that the numbers at the axis take, px. */
const AXIS_PX = 50;
/** Fewer than so many are counted in ones on the axis: there is no half sprinkler. */
const ONES = 5;

/** A day that was asked for. Times in epoch ms. */
export interface CountedDay {
  /** YYYY-MM-DD */
  date: string;
  start: number;
  end: number;
  /** Null: nothing was counted at its end. */
  value: number | null;
}

/** Days in a row of which nothing is known. */
export function unknownStretches(days: readonly CountedDay[]): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end, value } of days) {
    if (value !== null) continue;
    const last = stretches.at(-1);
    if (last?.end === start) last.end = end;
    else stretches.push({ start, end });
  }
  return stretches;
}

const middle = ({ start, end }: CountedDay) => (start + end) / 2;

/** Round steps in which whole things are counted, over a power of ten. */
const STEPS = [1, 2, 5, 10] as const;
const MOST_STEPS = 5;

/** The end of an axis from 0 that whole steps reach, at most five of them. */
function wholeEnd(peak: number): number {
  const power = 10 ** Math.floor(Math.log10(peak / MOST_STEPS));
  const step = (STEPS.find((one) => one * power >= peak / MOST_STEPS) ?? 10) * power;
  return Math.ceil(peak / step) * step;
}

/** A column for each day that is known, a stub for none; days that aren't known are shaded and say so. */
export function healthHistoryOption(
  days: readonly CountedDay[],
  { name, chosen }: { name: string; chosen: string | undefined },
  frame: ChartFrame,
): EChartsOption {
  const palette = paletteFor(frame);
  const known = days.filter(({ value }) => value !== null);
  const columnPx = ((frame.width - AXIS_PX) / Math.max(1, (frame.to - frame.from) / DAY)) * 0.68;
  const row = (value: number) => ({ name, text: numberText(value), colour: palette.water });
  const peak = Math.max(ONES, ...known.map(({ value }) => value ?? 0));
  return {
    ...baseOption(frame),
    yAxis: ruledAxis(palette, '', wholeEnd(peak)),
    tooltip: { ...tipOfOne(frame, row, DAY / 2), axisPointer: { type: 'none' } },
    series: [
      {
        type: 'bar',
        name,
        data: known.map((day) => ({
          value: [middle(day), day.value ?? 0],
          itemStyle: { color: day.date === chosen ? palette.second : palette.water },
        })),
        barWidth: Math.max(1.5, Math.min(40, columnPx)),
        barMinHeight: 2,
        itemStyle: { color: palette.water, borderRadius: columnPx > 6 ? [3, 3, 0, 0] : 0 },
        markArea: {
          silent: true,
          itemStyle: { color: palette.line, opacity: 0.55 },
          label: { position: 'inside', color: palette.text, fontSize: 11.5 },
          data: unknownStretches(days).map(({ start, end }) => [
            { xAxis: start, label: { formatter: 'Not known', rotate: 90 } },
            { xAxis: end },
          ]),
        },
      },
    ],
  };
}
