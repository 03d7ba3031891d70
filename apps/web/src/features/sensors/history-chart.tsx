import { useCallback, useMemo } from 'react';
import type { EChartsOption } from 'echarts';
import type { Timezone } from '@headrace/contract/farms';
import { serverNow } from '../../api/server-time.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartFrame } from '../../charts/chart-base.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { Empty } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { farmDay, isDailyRange, type PeriodChoice, rangeOf, windowOf } from '../../time-range/period.ts';
import { amountsByTime, type HistoryPoint } from './sensor-measures.ts';

/** How one thing that a sensor tells of is drawn and said. */
export interface Drawing {
  name: string;
  /** Amounts are added up by the farm's hour (of one day) or day; else each point stands as it came. */
  isAmount: boolean;
  draw: (points: readonly HistoryPoint[], frame: ChartFrame) => EChartsOption;
  /** For those who don't see the chart; `points` hold at least one value. */
  summary: (points: readonly HistoryPoint[], isDaily: boolean) => string;
  textOf: (value: number) => string;
  /** Where nothing is known. */
  nothing: string;
}

interface HistoryChartProps {
  sensorName: string;
  history: readonly HistoryPoint[];
  drawing: Drawing;
  choice: PeriodChoice;
  zone: Timezone;
}

/** What a sensor told over the chosen days: chart, words, table and export. `drawing` stays the same object while nothing changes. */
export function HistoryChart({ sensorName, history, drawing, choice, zone }: HistoryChartProps) {
  const { name, isAmount, draw, textOf } = drawing;
  const { period, from, to } = choice;
  const isHourly = rangeOf(choice).days === 1;
  const isDaily = isAmount ? !isHourly : isDailyRange(choice);
  const points = useMemo(() => {
    const window = windowOf({ period, from, to }, zone, serverNow(), []);
    const within = history.filter(({ time }) => Date.parse(time) >= window.from);
    return isAmount ? amountsByTime(within, zone, isHourly) : within;
  }, [history, isAmount, zone, period, from, to, isHourly]);
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const span = windowOf({ period, from, to }, zone, serverNow(), points.map(timeOf));
      return draw(points, { ...span, zone, scheme, width, isDaily });
    },
    [points, draw, zone, period, from, to, isDaily],
  );
  if (points.every(({ value }) => value === null)) return <Empty title="No data">{drawing.nothing}</Empty>;
  return (
    <Chart
      label={`${name} of ${sensorName}`}
      summary={drawing.summary(points, isDaily)}
      option={option}
      table={() => ({
        head: [isDaily ? 'Day' : 'Time', name],
        rows: points.map((point) => [
          pointTime(zone, timeOf(point), isDaily),
          point.value === null ? '–' : textOf(point.value),
        ]),
      })}
      fileName={`${sensorName}_${name}_${farmDay(zone, serverNow())}`}
    />
  );
}

const timeOf = ({ time }: HistoryPoint) => Date.parse(time);

/** The values that are known. */
export const known = (points: readonly HistoryPoint[]): number[] =>
  points.flatMap(({ value }) => value ?? []);
