import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Incident } from '@headrace/contract/alerts';
import { ALERT_DEVICES_LISTED } from '@headrace/contract/limits';
import { call } from '../api/client.ts';
import { AlertDot, AlertLink, Answered } from './open-alert-list.tsx';
import { EACH_MINUTE, useOpenAlerts } from './open-alerts.ts';
import classes from './open-alerts.module.css';

interface DeviceAlertsProps {
  farmUID: string;
  uid: string;
  /** What it is heard through, where it is silent: an alert of that one tells of this, too. */
  behind?: string | null;
  /** What the page says of it itself: an alert that says no more, and that nobody is on, isn't shown besides. */
  besides?: readonly string[];
}

/** What alerts have told of a device and is still so, in the words in which it was told. */
export function DeviceAlerts({ farmUID, uid, behind = null, besides }: DeviceAlertsProps) {
  const open = useDeviceAlerts(farmUID, uid);
  const saysMore = ({ incident, text }: Sentence) =>
    incident.answeredBy !== null || !besides?.some((known) => text.endsWith(known));
  const told = open.flatMap((incident) => sentenceOf(incident, uid, behind) ?? []).filter(saysMore);
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

interface Sentence {
  incident: Incident;
  text: string;
}

function sentenceOf(incident: Incident, uid: string, behind: string | null): Sentence | null {
  const own = openDevice(incident, uid);
  if (own) return { incident, text: own.sentence };
  const cause = incident.kind === 'OutOfContact' && openDevice(incident, behind);
  return cause ? { incident, text: `Behind ${cause.name}, which is offline.` } : null;
}

/** Those of one device, where the list of all hasn't room for it. */
const deviceAlertsQuery = (deviceUID: string) =>
  queryOptions({
    queryKey: ['open-alerts', deviceUID],
    queryFn: async ({ signal }) => (await call('GET /alerts/open', { query: { deviceUID }, signal })).open,
    refetchInterval: EACH_MINUTE,
    meta: { records: ['alert'] },
  });

/** Of a device's farm, with all of the device: it is asked for by itself where the list has no room for all. */
function useDeviceAlerts(farmUID: string, uid: string): readonly Incident[] {
  const { open, isCut } = useOpenAlerts(farmUID);
  const isWhole = !isCut && open.every(({ devices }) => devices.length < ALERT_DEVICES_LISTED);
  const { data: own = [] } = useQuery({ ...deviceAlertsQuery(uid), enabled: !isWhole });
  if (isWhole) return open;
  const asked = new Set(own.map((incident) => incident.uid));
  return [...own, ...open.filter((incident) => !asked.has(incident.uid))];
}

/** What is so of a device. */
const openDevice = ({ devices }: Incident, uid: string | null) =>
  devices.find((device) => device.endedAt === null && device.uid === uid);
