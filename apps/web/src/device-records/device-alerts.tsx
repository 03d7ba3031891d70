import type { Incident } from '@headrace/contract/alerts';
import { AlertDot, AlertLink, Answered } from './open-alert-list.tsx';
import { openDevice, useDeviceAlerts } from './open-alerts.ts';
import classes from './open-alerts.module.css';

interface DeviceAlertsProps {
  farmUID: string;
  uid: string;
  /** What it is heard through, where it is silent: an alert of that one tells of this, too. */
  behind?: string | null;
}

/** What alerts have told of a device and is still so, in the words in which it was told. */
export function DeviceAlerts({ farmUID, uid, behind = null }: DeviceAlertsProps) {
  const open = useDeviceAlerts(farmUID, uid);
  const told = open.flatMap((incident) => sentenceOf(incident, uid, behind) ?? []);
  if (told.length === 0) return null;
  return (
    <ul className={classes.ofDevice} aria-label="Open alerts">
      {told.map(({ incident, text }) => (
        <li key={incident.uid} className={classes.item}>
          <AlertDot incident={incident} />
          <span className={classes.text}>
            <AlertLink incident={incident} text={text} />
            <Answered incident={incident} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(
  incident: Incident,
  uid: string,
  behind: string | null,
): { incident: Incident; text: string } | null {
  const own = openDevice(incident, uid);
  if (own) return { incident, text: own.sentence };
  const cause = incident.kind === 'OutOfContact' && openDevice(incident, behind);
  return cause ? { incident, text: `Behind ${cause.name}, which is offline.` } : null;
}
