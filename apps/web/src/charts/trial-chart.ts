import type { EChartsOption } from 'echarts';
import type { AlertTrial } from '@headrace/contract/alert-trial';
import { numberText } from '../ui/format.ts';
import { type ChartFrame, limitLine, paletteFor, valueAxis } from './chart-base.ts';
import { oneLine } from './one-line.ts';

type TrialChart = NonNullable<AlertTrial['chart']>;

/** What was measured, the limit and where it is over, and when people would have been told. */
export function trialOption(chart: TrialChart, frame: ChartFrame): EChartsOption {
  const { name, unit, points, limit, end, marks } = chart;
  const palette = paletteFor(frame);
  const textOf = (value: number) => `${numberText(value, Number.isInteger(value) ? 0 : 1)} ${unit}`;
  const line = oneLine(
    points.map(({ at, value }) => [Date.parse(at), value]),
    { name, colour: palette.water, textOf },
    frame,
  );
  const spans = marks.map(({ firedAt, endedAt }) => [
    { xAxis: Date.parse(firedAt) },
    { xAxis: endedAt === null ? frame.to : Date.parse(endedAt) },
  ]);
  return {
    ...line,
    yAxis: valueAxis(palette, unit, unit === '%' ? { min: 0, max: 100 } : {}),
    series: line.series.map((one) => ({
      ...one,
      showSymbol: false,
      markLine: {
        silent: true,
        symbol: 'none',
        data: [
          limitLine(palette, limit, `Limit ${textOf(limit)}`, palette.issue),
          ...(end === limit
            ? []
            : [limitLine(palette, end, `Over at ${textOf(end)}`, palette.dim, 'insideStartTop')]),
        ],
      },
      markArea: { silent: true, itemStyle: { color: palette.issue, opacity: 0.16 }, data: spans as never },
    })),
  };
}
