import type { EChartsOption } from 'echarts';
import { TANK_LOW_BATTERY_V } from '@headrace/contract/limits';
import { batteryPercent } from '@headrace/contract/rules/tank';
import type { BatteryPoint } from '@headrace/contract/tanks';
import { numberText } from '../ui/format.ts';
import {
  baseOption,
  baseTooltip,
  limitLine,
  paletteFor,
  tipParams,
  tooltipElement,
  valueAxis,
  type ChartFrame,
} from './chart-base.ts';
import { withGaps, type Point } from './gaps.ts';

const lowPercent = Math.round(batteryPercent(TANK_LOW_BATTERY_V) ?? 0);

/** What is drawn of a point. */
type DrawnBattery = Pick<BatteryPoint, 'time' | 'value' | 'voltage' | 'charging'>;

/** Battery in whole percent; in full also volts and when it was charging. */
export function batteryOption(
  points: readonly DrawnBattery[],
  isFull: boolean,
  frame: ChartFrame,
): EChartsOption {
  const palette = paletteFor(frame);
  const series = (of: (point: DrawnBattery) => number | null) =>
    withGaps(points.map((point) => [Date.parse(point.time), of(point)]));
  const percent = series(({ value }) => (value === null ? null : Math.round(value)));
  const byTime = new Map(points.map((point) => [Date.parse(point.time), point]));
  const low = isFull
    ? { ...limitLine(palette, TANK_LOW_BATTERY_V, `Low battery ${TANK_LOW_BATTERY_V} V`, palette.issue) }
    : limitLine(
        palette,
        lowPercent,
        `Low battery: below ${TANK_LOW_BATTERY_V} V, about ${lowPercent} %`,
        palette.issue,
      );
  return {
    ...baseOption(frame, isFull ? 8 : 16),
    ...(isFull && {
      legend: {
        top: 0,
        left: 0,
        icon: 'roundRect',
        itemWidth: 14,
        itemHeight: 4,
        itemGap: 18,
        textStyle: { color: palette.text, fontSize: 12 },
      },
      grid: {
        left: 8,
        right: 8,
        top: 44,
        bottom: 4,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
    }),
    yAxis: [
      valueAxis(palette, '%', { min: 0, max: 100, interval: frame.width < 480 ? 50 : 25 }),
      ...(isFull
        ? [
            valueAxis(palette, 'V', {
              min: 2.8,
              max: 4.4,
              interval: frame.width < 480 ? 0.8 : 0.4,
              splitLine: { show: false },
              position: 'right',
            }),
          ]
        : []),
    ],
    tooltip: {
      ...baseTooltip(frame),
      formatter: (params: unknown) => {
        const at =
          tipParams(params).map(({ value }) => (Array.isArray(value) ? Number(value[0]) : 0))[0] ?? 0;
        const point = byTime.get(at);
        return point ? tooltipElement(frame, at, batteryRows(point, isFull, frame)) : '';
      },
    },
    series: [
      {
        type: 'line',
        name: 'Battery',
        data: percent,
        showSymbol: percent.length < 3,
        lineStyle: { width: 2, color: palette.ok },
        itemStyle: { color: palette.ok },
        areaStyle: { color: palette.ok, opacity: isFull ? 0 : 0.08 },
        ...(!isFull && { markLine: { silent: true, symbol: 'none', data: [low] } }),
      },
      ...(isFull
        ? [
            {
              type: 'line' as const,
              name: 'Voltage',
              yAxisIndex: 1,
              data: series(({ voltage }) => voltage),
              showSymbol: false,
              lineStyle: { width: 1.5, color: palette.second },
              itemStyle: { color: palette.second },
              markLine: { silent: true, symbol: 'none', data: [low] },
            },
            {
              type: 'line' as const,
              name: 'Charging',
              step: 'end' as const,
              data: chargingBand(points),
              showSymbol: false,
              lineStyle: { width: 0 },
              itemStyle: { color: palette.third },
              areaStyle: { color: palette.third, opacity: 0.45 },
            },
          ]
        : []),
    ],
  };
}

/** A band along the foot of the chart while the battery was charging, percent of the axis. */
const BAND_PERCENT = 5;
function chargingBand(points: readonly DrawnBattery[]): Point[] {
  return withGaps(
    points.map(({ time, charging }) => [
      Date.parse(time),
      charging === null ? null : charging ? BAND_PERCENT : 0,
    ]),
  );
}

function batteryRows({ value, voltage, charging }: DrawnBattery, isFull: boolean, frame: ChartFrame) {
  const palette = paletteFor(frame);
  const rows = [
    { name: 'Battery', text: value === null ? '–' : `${numberText(value)} %`, colour: palette.ok },
  ];
  if (!isFull) return rows;
  rows.push({
    name: 'Voltage',
    text: voltage === null ? '–' : `${numberText(voltage, 2)} V`,
    colour: palette.second,
  });
  rows.push({
    name: 'Charging',
    text: charging === null ? '–' : charging ? 'Yes' : 'No',
    colour: palette.third,
  });
  return rows;
}
