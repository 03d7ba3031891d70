import { AlertsLink } from '../../device-records/alerts-link.tsx';
import type { FarmAlerts } from '../../device-records/open-alerts.ts';
import classes from './dashboard.module.css';

/** One line from the beginning: what comes into it moves nothing. What is unknown the line says itself. */
export function LateAlerts({ alerts }: { alerts: FarmAlerts }) {
  const { open, isCut, isLoading, isUnknown } = alerts;
  if (isUnknown) return null;
  return (
    <p className={classes.lateAlerts} role="status">
      {isLoading ? (
        'Looking for alerts…'
      ) : open.length > 0 ? (
        <AlertsLink open={open} isCut={isCut} />
      ) : (
        'No open alerts.'
      )}
    </p>
  );
}
