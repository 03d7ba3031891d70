import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { SensorRecord } from '@headrace/contract/sensors';
import { warmCharts } from '../../charts/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import type { PeriodChoice } from '../../time-range/period.ts';
import { withStatus } from '../../api/with-status.ts';
import { askedSpan, daysOf } from './asked-days.ts';
import { type Drawing, HistoryChart, known } from './history-chart.tsx';
import { measuresOf, type Measure } from './sensor-measures.ts';
import { sensorHistoryQuery, sensorMonitorQuery, type SensorHistoryReply } from './sensors.queries.ts';
import classes from './sensor-history.module.css';

/** What is shown of a sensor, in the address. */
export interface SensorSearch extends Partial<PeriodChoice> {
  measure?: string | undefined;
}

/** What a sensor has measured, whatever its type. */
export function SensorHistory({ sensor }: { sensor: SensorRecord }) {
  const hasSpoken = useHasSpoken(sensor);
  return (
    <Panel title="What it measured">
      {hasSpoken ? (
        <History sensor={sensor} />
      ) : (
        <Empty title="No data yet">
          This sensor has never reported. What it measures shows here from its first message on.
        </Empty>
      )}
    </Panel>
  );
}

/** Who installs a sensor waits for its first message. */
function useHasSpoken({ _id, statusTime }: SensorRecord): boolean {
  const wasHeard = statusTime > 0;
  const { data } = useQuery({ ...sensorMonitorQuery(_id), enabled: !wasHeard });
  return wasHeard || (data !== undefined && data.statusTime !== null);
}

function History({ sensor }: { sensor: SensorRecord }) {
  useEffect(warmCharts, []);
  const zone = useChartZone(sensor.farmUID);
  const hasZone = useHasChartZone(sensor.farmUID);
  const { measure: asked, period = 'Week', from, to } = useSearch({ strict: false }) as SensorSearch;
  const patch = useSearchPatch<SensorSearch>();
  const measures = useMemo(() => measuresOf(sensor), [sensor]);
  const measure = measures.find(({ dataType }) => dataType === asked) ?? measures[0];
  const choice = { period, from, to };
  const query = useQuery({
    ...sensorHistoryQuery(sensor._id, daysOf(choice, zone), measure.dataType),
    enabled: hasZone,
  });
  return (
    <>
      <Segmented
        aria-label="Measure"
        data={measures.map(({ dataType, name }) => ({ value: dataType, label: name }))}
        value={measure.dataType}
        onChange={(dataType) => patch({ measure: dataType }, { replace: true })}
        className={classes.measure}
      />
      <PeriodFilter
        choice={choice}
        zone={zone}
        onChange={({ period, from, to }) => patch({ period, from, to }, { replace: true })}
      />
      <StateView
        query={query}
        failed={withStatus('Failed to fetch sensor history', query.error)}
        skeleton={<div className={classes.space} aria-hidden="true" />}
      >
        {(history) => (
          <HistoryOf sensor={sensor} measure={measure} choice={choice} zone={zone} history={history} />
        )}
      </StateView>
    </>
  );
}

interface HistoryOfProps {
  sensor: SensorRecord;
  measure: Measure;
  choice: PeriodChoice;
  zone: Timezone;
  history: SensorHistoryReply;
}

function HistoryOf({ sensor, measure, choice, zone, history: { unit, history } }: HistoryOfProps) {
  const span = askedSpan(choice);
  const drawing = useMemo((): Drawing => {
    const textOf = (value: number) => measure.textOf(value, unit);
    return {
      name: measure.name,
      isAmount: measure.dataType === 'usage',
      draw: (points, frame) => measure.draw(points, frame, unit),
      summary: (points, isDaily) => measure.summary(known(points), textOf, { isDaily, span }),
      textOf,
      nothing: 'Nothing was measured on these days. Choose other days to look back.',
    };
  }, [measure, unit, span]);
  return <HistoryChart sensorName={sensor.name} {...{ history, drawing, choice, zone }} />;
}
