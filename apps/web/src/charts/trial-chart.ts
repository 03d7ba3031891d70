import type { EChartsOption } from 'echarts';
import type { AlertChart } from '@headrace/contract/alert-chart';
import { numberText } from '../ui/format.ts';
import { type ChartFrame, limitLine, paletteFor, valueAxis } from './chart-base.ts';
import { oneLine } from './one-line.ts';

/** What was measured, the limit and where it is over with the band between them, which changes nothing, and when people would have been told. */
export function trialOption(chart: AlertChart, frame: ChartFrame): EChartsOption {
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
  const band = [{ yAxis: limit, itemStyle: { color: palette.dim, opacity: 0.14 } }, { yAxis: end }];
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
      markArea: {
        silent: true,
        itemStyle: { color: palette.issue, opacity: 0.16 },
        data: (end === limit ? spans : [band, ...spans]) as never,
      },
    })),
  };
}
