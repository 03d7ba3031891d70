import type { EChartsOption, TooltipComponentOption } from 'echarts';
import type { Timezone } from '@headrace/contract/farms';
import { numberText } from '../ui/format.ts';
import { chartPalettes, type ChartPalette } from './chart-palette.ts';
import { pointTime, timeTicks } from './time-axis.ts';
import type { Scheme } from '../ui/tokens.ts';

/** What every chart over time is drawn for. Times in epoch ms. */
export interface ChartFrame {
  zone: Timezone;
  scheme: Scheme;
  from: number;
  to: number;
  /** px: how many labels fit. */
  width: number;
  /** Each point stands for a day. */
  isDaily: boolean;
}

export const FONT = '"Inter Variable", system-ui, sans-serif';
/** Room that a label on the time axis takes, px. */
const LABEL_PX = 64;

export const paletteFor = ({ scheme }: ChartFrame): ChartPalette => chartPalettes[scheme];

/** Thin lines, few grid lines, the farm's clock below. */
export function baseOption(frame: ChartFrame, right = 16): EChartsOption {
  const palette = paletteFor(frame);
  const ticks = timeTicks(frame.zone, frame.from, frame.to, Math.max(2, Math.floor(frame.width / LABEL_PX)));
  const words = new Map(ticks.map(({ at, text }) => [at, text]));
  const at = ticks.map((tick) => tick.at);
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: palette.dim },
    grid: { left: 8, right, top: 18, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'value',
      min: frame.from,
      max: frame.to,
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: true, length: 4, lineStyle: { color: palette.line }, customValues: at },
      axisLabel: {
        customValues: at,
        formatter: (value: number) => words.get(value) ?? '',
        color: palette.dim,
        fontSize: 12,
        hideOverlap: true,
        alignMaxLabel: undefined,
      },
      splitLine: { show: false },
    },
    tooltip: baseTooltip(frame),
  };
}

/** The pointer on a time, and what it says in an element of ours. */
export function baseTooltip(frame: ChartFrame): TooltipComponentOption {
  const palette = paletteFor(frame);
  return {
    trigger: 'axis',
    confine: true,
    padding: 0,
    borderWidth: 0,
    backgroundColor: 'transparent',
    extraCssText: 'box-shadow:none',
    axisPointer: {
      type: 'line',
      lineStyle: { color: palette.dim, width: 1, type: 'dashed' },
      label: { show: false },
    },
  };
}

/** A value axis at the left: its numbers, faint lines, no rule. */
export function valueAxis(palette: ChartPalette, unit: string, rest: object = {}) {
  return {
    type: 'value' as const,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: palette.line, width: 1 } },
    axisLabel: {
      color: palette.dim,
      fontSize: 12,
      formatter: (value: number) => `${numberText(value, digitsOf(value))} ${unit}`,
    },
    ...rest,
  };
}

/** Ends that round steps reach, over a power of ten. */
const ENDS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/** The end of an axis from 0 that the highest value fills to three quarters at least; 1 at the lowest. */
export function fittingEnd(peak: number): number {
  if (peak <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(peak));
  return (ENDS.find((end) => end * power >= peak) ?? 10) * power;
}

const ROUND = [1, 2, 2.5, 5, 10] as const;
const MOST_STEPS = 5;

/** An axis from 0 to an end that a rule gives, round or not: its numbers are round, at most five of them above 0. */
export function ruledAxis(palette: ChartPalette, unit: string, max: number) {
  const least = max / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const interval = (ROUND.find((step) => step * power >= least) ?? 10) * power;
  const axis = valueAxis(palette, unit, { min: 0, max, interval });
  const isRound = Number.isInteger(Number((max / interval).toFixed(6)));
  return {
    ...axis,
    interval,
    splitLine: { ...axis.splitLine, showMaxLine: isRound },
    axisLabel: { ...axis.axisLabel, showMaxLabel: isRound },
  };
}

const digitsOf = (value: number) => (Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 2 : 1);

interface TipRow {
  name: string;
  text: string;
  colour: string;
}

/** A tooltip as our own element, so that it needs no inline style: the time, then a row for each series. */
export function tooltipElement(frame: ChartFrame, at: number, rows: readonly TipRow[]): HTMLElement {
  const box = document.createElement('div');
  box.className = 'chartTip';
  const time = document.createElement('div');
  time.className = 'chartTipTime';
  time.textContent = pointTime(frame.zone, at, frame.isDaily);
  box.append(time);
  for (const { name, text, colour } of rows) {
    const row = document.createElement('div');
    row.className = 'chartTipRow';
    const dot = document.createElement('i');
    dot.style.background = colour;
    const label = document.createElement('span');
    label.textContent = name;
    const value = document.createElement('b');
    value.textContent = text;
    row.append(dot, label, value);
    box.append(row);
  }
  return box;
}

/** What the pointer tells where a chart shows one thing. `shiftMs`: how far after its time a point is drawn. */
export function tipOfOne(
  frame: ChartFrame,
  rowOf: (value: number, at: number) => TipRow,
  shiftMs = 0,
): TooltipComponentOption {
  return {
    ...baseTooltip(frame),
    formatter: (params: unknown) => {
      const known = tipParams(params)
        .map(tipValue)
        .find((point) => point !== null && point[1] !== null);
      const [at, value] = known ?? [0, null];
      return value === null ? '' : tooltipElement(frame, at - shiftMs, [rowOf(value, at)]);
    },
  };
}

/** A horizontal limit with its words on it. */
export function limitLine(
  { paper }: ChartPalette,
  y: number,
  text: string,
  colour: string,
  position: 'insideEndTop' | 'insideEndBottom' | 'insideStartTop' | 'insideStartBottom' = 'insideEndTop',
) {
  return {
    yAxis: y,
    lineStyle: { color: colour, type: 'dashed' as const, width: 1.25 },
    label: {
      formatter: text,
      position,
      color: colour,
      fontSize: 11.5,
      fontWeight: 600 as const,
      // A rim, not a box: what runs behind the words is seen.
      textBorderColor: paper,
      textBorderWidth: 3,
      padding: [1, 4],
    },
  };
}

/** What a point says on the pointer's path, by its place in the data. */
export interface TipParam {
  axisValue?: number | string;
  value?: unknown;
  seriesName?: string;
  seriesId?: string;
}

export function tipParams(params: unknown): TipParam[] {
  return (Array.isArray(params) ? params : [params]) as TipParam[];
}

export const tipValue = (param: TipParam): Point2 | null =>
  Array.isArray(param.value) ? (param.value as Point2) : null;
type Point2 = [number, number | null];
