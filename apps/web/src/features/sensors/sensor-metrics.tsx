import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { Timezone } from '@headrace/contract/farms';
import type { SensorRecord } from '@headrace/contract/sensors';
import { serverNow } from '../../api/server-time.ts';
import { Age } from '../../ui/age.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { withStatus } from '../../api/with-status.ts';
import { SeriesChart } from './series-chart.tsx';
import { seriesValueText } from './series-labels.ts';
import { type SeriesNow, seriesListQuery } from './sensors.queries.ts';
import classes from './sensor-metrics.module.css';

/** What is open, in the address. */
interface SensorMetricsSearch {
  said?: string | undefined;
}

const DAY_MS = 86_400_000;

/** All that a sensor has ever reported, also what no other screen knows; each opens its chart. */
export function SensorMetrics({ sensor }: { sensor: SensorRecord }) {
  const query = useQuery(seriesListQuery(sensor._id));
  const zone = useChartZone(sensor.farmUID);
  const { said } = useSearch({ strict: false }) as SensorMetricsSearch;
  const patch = useSearchPatch<SensorMetricsSearch>();
  return (
    <Panel title="Everything this sensor says">
      <StateView
        query={query}
        failed={withStatus('Failed to fetch what this sensor says', query.error)}
        skeleton={<div className={classes.space} aria-hidden="true" />}
      >
        {(series) =>
          series.length === 0 ? (
            <Empty title="No data yet">
              Every value that this sensor reports shows here from its first message on.
            </Empty>
          ) : (
            <ul className={classes.list}>
              {series.map((one) => (
                <MetricRow
                  key={one.metric}
                  sensor={sensor}
                  series={one}
                  zone={zone}
                  isOpen={one.metric === said}
                  onOpen={(isOpen) => patch({ said: isOpen ? one.metric : undefined }, { replace: true })}
                />
              ))}
            </ul>
          )
        }
      </StateView>
    </Panel>
  );
}

interface MetricRowProps {
  sensor: SensorRecord;
  series: SeriesNow;
  zone: Timezone;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

function MetricRow({ sensor, series, zone, isOpen, onOpen }: MetricRowProps) {
  const { label, time, value, lately, kind } = series;
  const now = serverNow();
  return (
    <li className={classes.said}>
      <div className={classes.row}>
        <button type="button" className={classes.name} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <span className={classes.label}>{label}</span>
          <span className={classes.value} data-invalid={value === null || undefined}>
            {seriesValueText(series, value)}
          </span>
        </button>
        <span className={classes.lately}>
          {lately.length > 1 && (
            <Sparkline
              points={lately.map((point) => [Date.parse(point.time), point.value])}
              from={now - DAY_MS}
              to={now}
              isStep={kind === 'state' || kind === 'setting'}
            />
          )}
        </span>
        <Age at={time} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} className={classes.age} />
      </div>
      {isOpen && <SeriesChart sensor={sensor} series={series} zone={zone} />}
    </li>
  );
}
