import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { EChartsOption } from 'echarts';
import type { Timezone } from '@headrace/contract/farms';
import type { SensorRecord } from '@headrace/contract/sensors';
import { warmCharts } from '../../charts/chart.tsx';
import type { ChartFrame } from '../../charts/chart-base.ts';
import { lineOption, stateOption } from '../../charts/sensor-chart.ts';
import { usageOption } from '../../charts/usage-chart.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useHasChartZone } from '../../time-range/farm-zone.ts';
import type { PeriodChoice } from '../../time-range/period.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { usefulDigits } from '../../ui/format.ts';
import { withStatus } from '../../api/with-status.ts';
import { daysOf } from './asked-days.ts';
import { type Drawing, HistoryChart, known } from './history-chart.tsx';
import type { HistoryPoint } from './sensor-measures.ts';
import { seriesValueText } from './series-labels.ts';
import { type SeriesNow, seriesQuery, type SeriesReply } from './sensors.queries.ts';
import classes from './sensor-metrics.module.css';

interface SeriesChartProps {
  sensor: SensorRecord;
  series: SeriesNow;
  zone: Timezone;
}

/** One of the things that a sensor says, over the days that are looked at. */
export function SeriesChart({ sensor, series, zone }: SeriesChartProps) {
  useEffect(warmCharts, []);
  const hasZone = useHasChartZone(sensor.farmUID);
  const { period = 'Week', from, to } = useSearch({ strict: false }) as Partial<PeriodChoice>;
  const patch = useSearchPatch<Partial<PeriodChoice>>();
  const choice = { period, from, to };
  const query = useQuery({
    ...seriesQuery(sensor._id, series.metric, daysOf(choice, zone)),
    enabled: hasZone,
  });
  return (
    <div className={classes.chart}>
      <PeriodFilter
        choice={choice}
        zone={zone}
        onChange={({ period, from, to }) => patch({ period, from, to }, { replace: true })}
      />
      <StateView
        query={query}
        failed={withStatus('Failed to fetch what this sensor said', query.error)}
        skeleton={<div className={classes.space} aria-hidden="true" />}
      >
        {(reply) => <Drawn sensor={sensor} reply={reply} choice={choice} zone={zone} />}
      </StateView>
    </div>
  );
}

interface DrawnProps {
  sensor: SensorRecord;
  reply: SeriesReply;
  choice: PeriodChoice;
  zone: Timezone;
}

function Drawn({ sensor, reply, choice, zone }: DrawnProps) {
  const drawing = useMemo((): Drawing => {
    const isAmount = reply.kind === 'counter' || reply.kind === 'delta';
    const textOf = (value: number) => seriesValueText(reply, value);
    return {
      name: reply.label,
      isAmount,
      draw: (points, frame) => optionOf(reply, points, frame),
      summary: (points, isDaily) =>
        isAmount ? totalText(known(points), textOf, isDaily) : rangeText(reply, points, textOf),
      textOf,
      nothing: 'Nothing was said on these days. Choose other days to look back.',
    };
  }, [reply]);
  return <HistoryChart sensorName={sensor.name} history={reply.points} {...{ drawing, choice, zone }} />;
}

function optionOf(reply: SeriesReply, points: readonly HistoryPoint[], frame: ChartFrame): EChartsOption {
  const { label: name, unit, kind, isBoolean } = reply;
  if (kind === 'counter' || kind === 'delta')
    return usageOption(
      points.map(({ time, value }) => ({ time, litreValue: value ?? 0, generated: false })),
      frame,
      { name, unit },
    );
  const pairs = points.map(({ time, value }) => [Date.parse(time), value] as [number, number | null]);
  if (isBoolean) return stateOption(pairs, name, frame, (value) => seriesValueText(reply, value));
  const digits = Math.max(
    0,
    ...points.map(({ value }) => (value === null ? 0 : usefulDigits(value, reply.digits))),
  );
  return lineOption(pairs, { name, unit, digits, colour: ({ water }) => water, axis: {} }, frame);
}

type TextOf = (value: number) => string;

const totalText = (known: readonly number[], textOf: TextOf, isDaily: boolean): string =>
  `${textOf(known.reduce((sum, value) => sum + value, 0))} in all, at most ${textOf(Math.max(...known))} in one ${
    isDaily ? 'day' : 'hour'
  }.`;

/** The lowest and highest that was said, not of means. */
function rangeText({ isBoolean }: SeriesReply, points: readonly HistoryPoint[], textOf: TextOf): string {
  const extremes = points as SeriesReply['points'];
  const values = known(points);
  const last = textOf(values.at(-1) ?? 0);
  if (isBoolean)
    return `Yes in ${values.filter((value) => value > 0).length} of ${values.length}, at last ${last}.`;
  const low = Math.min(...extremes.flatMap(({ lowest, value }) => lowest ?? value ?? []));
  const high = Math.max(...extremes.flatMap(({ highest, value }) => highest ?? value ?? []));
  return `Between ${textOf(low)} and ${textOf(high)}, at last ${last}.`;
}
