import { useQuery } from '@tanstack/react-query';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { SensorMonitor, SensorRecord } from '@headrace/contract/sensors';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { withStatus } from '../../api/with-status.ts';
import { sensorMonitorQuery } from './sensors.queries.ts';
import classes from './switch-now.module.css';

/** How a switch stands, since when, and how old that is. */
export function SwitchNow({ sensor }: { sensor: SensorRecord }) {
  const query = useQuery(sensorMonitorQuery(sensor._id));
  return (
    <section className={classes.now} aria-label="Now">
      <StateView
        query={query}
        failed={withStatus('Failed to monitor sensor', query.error)}
        skeleton={<div className={classes.space} />}
      >
        {(monitor) => <Standing monitor={monitor} farmUID={sensor.farmUID} />}
      </StateView>
    </section>
  );
}

function Standing({ monitor, farmUID }: { monitor: SensorMonitor; farmUID: string }) {
  const { value, invalid, since, statusTime } = monitor;
  const zone = useChartZone(farmUID);
  if (invalid) return <p className={classes.state}>Invalid sensor value</p>;
  if (value === null || statusTime === null) return <p className={classes.state}>No data</p>;
  const isOn = value !== 0;
  return (
    <>
      <p className={classes.state}>
        <ConditionDot condition={isOn ? 'ok' : 'inhibited'} label={null} size={18} />
        {isOn ? 'On' : 'Off'}
        {since !== null && (
          <Age at={since} zone={zone} className={classes.since}>
            since
          </Age>
        )}
      </p>
      <Age at={statusTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS}>
        Last contact
      </Age>
    </>
  );
}
