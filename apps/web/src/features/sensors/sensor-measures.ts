import type { EChartsOption } from 'echarts';
import type { Timezone } from '@headrace/contract/farms';
import { dayStart, hourStart } from '@headrace/contract/rules/farm-time';
import { deadBandPercent, measuresByFlow, tankShape } from '@headrace/contract/rules/tank';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { SensorRecord } from '@headrace/contract/sensors';
import { batteryOption } from '../../charts/battery-chart.ts';
import type { ChartFrame } from '../../charts/chart-base.ts';
import { flowOption } from '../../charts/flow-chart.ts';
import type { Point } from '../../charts/gaps.ts';
import { levelOption } from '../../charts/level-chart.ts';
import { lineOption, stateOption, stateText, type SensorLine } from '../../charts/sensor-chart.ts';
import { usageOption } from '../../charts/usage-chart.ts';
import { numberText } from '../../ui/format.ts';
import type { SensorDataType, SensorHistoryReply } from './sensors.queries.ts';

export type HistoryPoint = SensorHistoryReply['history'][number];
type Draw = (points: readonly HistoryPoint[], frame: ChartFrame, unit: string) => EChartsOption;

/** One thing that a sensor tells of over time. */
export interface Measure {
  dataType: SensorDataType;
  name: string;
  /** Of what is known, never empty, for those who don't see the chart. */
  summary: (values: readonly number[], textOf: (value: number) => string, over: SummaryOver) => string;
  textOf: (value: number, unit: string) => string;
  draw: Draw;
}
export interface SummaryOver {
  /** Of amounts. */
  isDaily: boolean;
  /** What each value is of. */
  span: 'reading' | 'hour' | 'day';
}
type Measures = [Measure, ...Measure[]];

/**
 * What the server can tell of a sensor of this type, the value that it is there for first. A few LoRaWAN units send a temperature
 * beside their level or flow, but nothing tells them from the many that don't.
 */
export function measuresOf({ type, settings }: Pick<SensorRecord, 'type' | 'settings'>): Measures {
  if (type === sensorTypes.SWITCH) return [state, battery];
  if (type === sensorTypes.SOIL_MOISTURE) return [tension, temperature, battery];
  if (!tankTypes.includes(type)) return [flow('value'), usage, battery];
  const flows = measuresByFlow(type, settings) ? [flow('flow')] : [];
  return [levelOf(settings), usage, ...flows, tankBattery];
}

const inDigits = (digits: number) => (value: number, unit: string) => `${numberText(value, digits)} ${unit}`;

const spanTexts = { reading: 'Between', hour: 'Hourly means between', day: 'Daily means between' } as const;

/** Lowest, highest and last, and whether of readings or of means. */
const range: Measure['summary'] = (values, textOf, { span }) => {
  const [low, high] = values.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Infinity, -Infinity],
  );
  return `${spanTexts[span]} ${textOf(low)} and ${textOf(high)}, at last ${textOf(values.at(-1) ?? 0)}.`;
};

const measure = (dataType: SensorDataType, name: string, digits: number, draw: Draw): Measure => ({
  dataType,
  name,
  summary: range,
  textOf: inDigits(digits),
  draw,
});

const pointsOf = (points: readonly HistoryPoint[]): Point[] =>
  points.map(({ time, value }) => [Date.parse(time), value]);

const lineOf = (dataType: SensorDataType, look: Omit<SensorLine, 'unit'>): Measure =>
  measure(dataType, look.name, look.digits, (points, frame, unit) =>
    lineOption(pointsOf(points), { ...look, unit }, frame),
  );

const levelOf = (settings: SensorRecord['settings']): Measure =>
  measure('value', 'Level', 1, (points, frame) => {
    const measured = points.map((point) => ({ ...point, generated: false }));
    const deadBand = deadBandPercent(tankShape(settings));
    return levelOption({ points: measured, deadBand, lowSetpoint: null, highSetpoint: null }, frame);
  });

const flow = (dataType: 'value' | 'flow'): Measure =>
  measure(dataType, 'Flow', 1, (points, frame) =>
    flowOption(
      points.map(({ time, value }) => ({ time, avgLitrePerMinute: value, generated: false })),
      frame,
    ),
  );

const usage: Measure = {
  ...measure('usage', 'Usage', 0, (points, frame) =>
    usageOption(
      points.map(({ time, value }) => ({ time, litreValue: value ?? 0, generated: false })),
      frame,
    ),
  ),
  summary: (values, textOf, { isDaily }) => {
    const total = values.reduce((sum, value) => sum + value, 0);
    return `${textOf(total)} in all, at most ${textOf(Math.max(...values))} in one ${isDaily ? 'day' : 'hour'}.`;
  },
};

const tension = lineOf('value', {
  name: 'Tension',
  digits: 1,
  colour: ({ water }) => water,
  axis: { min: 0 },
});
const temperature = lineOf('temperature', {
  name: 'Temperature',
  digits: 1,
  colour: ({ third }) => third,
  axis: {},
});

const state: Measure = {
  ...measure('value', 'State', 0, (points, frame) => stateOption(pointsOf(points), 'State', frame)),
  textOf: stateText,
  summary: (values, textOf) => {
    const on = values.filter((value) => value > 0).length;
    return `On in ${on} of ${values.length} values, at last ${textOf(values.at(-1) ?? 0)}.`;
  },
};

const tankBattery = measure('battery', 'Battery', 0, (points, frame) =>
  batteryOption(
    points.map((point) => ({ ...point, voltage: null, charging: null })),
    false,
    frame,
  ),
);
/** Without the limit under which a tank's battery is low: other units have other batteries. */
const battery = lineOf('battery', {
  name: 'Battery',
  digits: 0,
  colour: ({ ok }) => ok,
  axis: { min: 0, max: 100, interval: 25 },
});

/**
 * Amounts added up by the farm's hour or day, as everywhere else: those of readings say how much went since the one before, and
 * nobody counts in such.
 */
export function amountsByTime(
  points: readonly HistoryPoint[],
  zone: Timezone,
  isHourly: boolean,
): readonly HistoryPoint[] {
  const sums = new Map<number, number>();
  for (const { time, value } of points) {
    const at = Date.parse(time);
    const start = isHourly ? hourStart(zone, at) : dayStart(zone, at);
    if (value !== null) sums.set(start, (sums.get(start) ?? 0) + value);
  }
  return [...sums].map(([start, value]) => ({ time: new Date(start).toISOString(), value }));
}
