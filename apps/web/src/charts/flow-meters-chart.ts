import type { EChartsOption } from 'echarts';
import {
  flowFactors,
  flowHistoryAxisMax,
  flowUnitAxisMax,
  type FlowUnit,
} from '@headrace/contract/rules/flow';
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
import { mixed, seriesColour } from './chart-palette.ts';
import type { Point } from './gaps.ts';
import { alignSeries, loneDots, stackEdges, stackPeak, type StackRow } from './stacked.ts';

export const flowUnitTexts: Record<FlowUnit, string> = { lps: 'L/s', lph: 'L/h', m3pd: 'm³/day' };
const digits: Record<FlowUnit, number> = { lps: 2, lph: 0, m3pd: 1 };

/** "0.42 L/s" */
export const flowText = (value: number | null, unit: FlowUnit): string =>
  value === null ? '–' : `${numberText(value, digits[unit])} ${flowUnitTexts[unit]}`;
export const flowDigits = (unit: FlowUnit): number => digits[unit];

/** One meter's area. `nth` of all meters gives it its colour, whichever others are shown. */
export interface MeterArea {
  name: string;
  nth: number;
  /** L/s */
  points: readonly Point[];
}

/** Meters on one row of times, in the unit that is shown. */
export function meterRows(meters: readonly MeterArea[], unit: FlowUnit): StackRow[] {
  return alignSeries(meters.map(({ points }) => points)).map(({ at, values }) => ({
    at,
    values: values.map((value) => (value === null ? null : value * flowFactors[unit])),
  }));
}

/**
 * Where the axis of the meters ends, in their unit. Over the 60 days of the summary it is ten times the unit's factor, so
 * that one day's look compares with another's; meters that together run above it raise it by as much again, since a
 * top that is cut off would hide the flow that matters most. Other periods have the axis of a meter's history.
 */
export function metersAxisMax(peak: number, unit: FlowUnit, isSummary: boolean): number {
  if (!isSummary) return flowHistoryAxisMax(peak);
  const usual = flowUnitAxisMax(unit);
  return usual * Math.max(1, Math.ceil(peak / usual));
}

export interface MetersChart {
  meters: readonly MeterArea[];
  unit: FlowUnit;
  /** The last 60 days as the summary has them. */
  isSummary: boolean;
}

/** What runs through all meters, one area on the other; gaps stay gaps. */
export function metersOption({ meters, unit, isSummary }: MetersChart, frame: ChartFrame): EChartsOption {
  const palette = paletteFor(frame);
  const rows = meterRows(meters, unit);
  const max = metersAxisMax(stackPeak(rows), unit, isSummary);
  const byTime = new Map(rows.map((row) => [row.at, row]));
  const [edges, dots] = [stackEdges(rows), loneDots(rows)];
  const areas = meters.map(({ name, nth }, index) => {
    const colour = seriesColour(palette, nth);
    return {
      type: 'line' as const,
      name,
      data: edges[index] ?? [],
      symbol: 'none',
      lineStyle: { width: 1.5, color: colour },
      itemStyle: { color: colour },
      areaStyle: { color: mixed(colour, palette.paper, 0.42), opacity: 1 },
    };
  });
  const lone = meters.map(({ nth }, index) => ({
    type: 'line' as const,
    name: `${meters[index]?.name} alone`,
    data: dots[index] ?? [],
    symbol: 'circle',
    symbolSize: 6,
    lineStyle: { width: 0 },
    itemStyle: { color: seriesColour(palette, nth) },
  }));
  return {
    ...baseOption(frame),
    yAxis: ruledAxis(palette, flowUnitTexts[unit], max),
    tooltip: {
      ...baseTooltip(frame),
      formatter: (params: unknown) => {
        const at =
          tipParams(params)
            .map(tipValue)
            .find((point) => point !== null)?.[0] ?? 0;
        const row = byTime.get(at);
        return row ? tooltipElement(frame, at, tipRows(row)) : '';
      },
    },
    // The highest edge is filled first: each area below then covers what isn't its neighbour's.
    series: [...areas.toReversed(), ...lone.filter(({ data }) => data.length > 0)],
  };

  function tipRows({ values }: StackRow) {
    const each = meters.map(({ name, nth }, index) => ({
      name,
      text: flowText(values[index] ?? null, unit),
      colour: seriesColour(palette, nth),
    }));
    const isWhole = values.length > 1 && values.every((value) => value !== null);
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
    // Top first, as they lie; a sum only where all of it is known.
    return [
      ...(isWhole ? [{ name: 'Together', text: flowText(sum, unit), colour: 'transparent' }] : []),
      ...each.toReversed(),
    ];
  }
}
