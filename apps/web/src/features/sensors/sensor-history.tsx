import { useCallback, useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { SensorRecord } from '@headrace/contract/sensors';
import { serverNow } from '../../api/server-time.ts';
import { Chart, warmCharts } from '../../charts/chart.tsx';
import { pointTime } from '../../charts/time-axis.ts';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useChartZone, useHasChartZone } from '../tanks/farm-zone.ts';
import { PeriodFilter } from '../tanks/period-filter.tsx';
import {
  farmDay,
  isChosen,
  isDailyRange,
  lastDays,
  rangeOf,
  windowOf,
  type PeriodChoice,
} from '../tanks/period.ts';
import { measuresOf, pointsToShow, type HistoryPoint, type Measure } from './sensor-measures.ts';
import {
  sensorHistoryQuery,
  sensorMonitorQuery,
  withStatus,
  type SensorDays,
  type SensorHistoryReply,
} from './sensors.queries.ts';
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
  const { period, from, to } = choice;
  const isHourly = rangeOf(choice).days === 1;
  const isDaily = measure.dataType === 'usage' ? !isHourly : isDailyRange(choice);
  const { dataType, draw, name } = measure;
  const points = useMemo(() => {
    const window = windowOf({ period, from, to }, zone, serverNow(), []);
    const within = history.filter(({ time }) => Date.parse(time) >= window.from);
    return pointsToShow(dataType, within, zone, isHourly);
  }, [history, dataType, zone, period, from, to, isHourly]);
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const span = windowOf({ period, from, to }, zone, serverNow(), points.map(timeOf));
      return draw(points, { ...span, zone, scheme, width, isDaily }, unit);
    },
    [points, draw, unit, zone, period, from, to, isDaily],
  );
  const known = points.flatMap(({ value }) => value ?? []);
  if (known.length === 0)
    return <Empty title="No data">Nothing was measured on these days. Choose other days to look back.</Empty>;
  const textOf = (value: number) => measure.textOf(value, unit);
  return (
    <Chart
      label={`${name} of ${sensor.name}`}
      summary={measure.summary(known, textOf, isDaily)}
      option={option}
      table={() => ({
        head: [isDaily ? 'Day' : 'Time', name],
        rows: points.map((point) => [
          pointTime(zone, timeOf(point), isDaily),
          point.value === null ? '–' : textOf(point.value),
        ]),
      })}
      fileName={`${sensor.name}_${name}_${farmDay(zone, serverNow())}`}
    />
  );
}

const timeOf = ({ time }: HistoryPoint) => Date.parse(time);

/** The farm's days to ask for. One day up to now begins yesterday: the night belongs to it. */
function daysOf(choice: PeriodChoice, zone: Timezone): SensorDays {
  const { from, to } = choice;
  const isOwn = isChosen(choice) && from !== undefined && to !== undefined;
  const days = Math.max(2, rangeOf(choice).days);
  const [first, last] = isOwn ? [from, to] : lastDays(farmDay(zone, serverNow()), days);
  return { startDate: dayText(first), endDate: dayText(last) };
}

/** YYYY-MM-DD as DD-MM-YYYY. */
const dayText = (day: string) => day.split('-').toReversed().join('-');
