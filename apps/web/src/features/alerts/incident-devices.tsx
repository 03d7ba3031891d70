import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { IncidentDetails } from '@headrace/contract/alerts';
import { needs } from '@headrace/contract/permissions';
import { tankTypes } from '@headrace/contract/sensor-types';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { deviceWay } from '../../device-records/device-way.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { alertsQuery, watchableQuery } from './alerts.queries.ts';
import { Pause } from './pause.tsx';
import classes from './alerts.module.css';

const AT_ONCE = 20;

interface IncidentDevicesProps {
  farmUID: string;
  incident: IncidentDetails;
}

/** What an incident is of, each with the way to it, and to a pause of it while it is so. */
export function IncidentDevices({ farmUID, incident: { devices, count, endedAt } }: IncidentDevicesProps) {
  const [drawn, setDrawn] = useState(AT_ONCE);
  const [only] = devices;
  if (only === undefined) return null;
  if (count === 1)
    return (
      <div className={classes.answer}>
        <DeviceLink farmUID={farmUID} device={only} />
        {endedAt === null && <PauseDevice farmUID={farmUID} device={only} />}
      </div>
    );
  const unlisted = count - new Set(devices.map(({ uid }) => uid)).size;
  return (
    <details className={classes.ended}>
      <summary className={classes.summary}>{count} devices</summary>
      <ul className={classes.steps}>
        {devices.slice(0, drawn).map((device) => (
          <li key={`${device.uid} ${device.since} ${device.sentence}`} className={classes.step}>
            {device.sentence}
            <div className={classes.answer}>
              <DeviceLink farmUID={farmUID} device={device} />
              {device.endedAt === null && <PauseDevice farmUID={farmUID} device={device} />}
            </div>
          </li>
        ))}
      </ul>
      {drawn < devices.length ? (
        <PlainButton onClick={() => setDrawn(drawn + AT_ONCE)}>Show more</PlainButton>
      ) : (
        unlisted > 0 && <p className={classes.facts}>and {unlisted} more</p>
      )}
    </details>
  );
}

type DeviceName = Pick<IncidentDetails['devices'][number], 'uid' | 'name'>;
interface OfDevice {
  farmUID: string;
  device: DeviceName;
}

/** To a tank on the dashboard, to another device where it is seen. */
function DeviceLink({ farmUID, device: { uid, name } }: OfDevice) {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const { data: devices } = useQuery(watchableQuery(farmUID));
  const known = devices?.find((one) => one.uid === uid);
  const kind = Object.values(deviceKinds).find(({ form }) => form === known?.kind)?.form;
  if (known === undefined || kind === undefined) return null;
  const isTank = kind === 'sensor' && tankTypes.includes(known.type);
  const way =
    isTank && mayOn(permissions, farmUID, needs.dashboard)
      ? { to: '/dashboard', search: { farm: farmUID, tank: uid } as never }
      : deviceWay(permissions, farmUID, { id: uid, kind, name });
  return (
    <Link {...way} className={classes.to}>
      Open {name}
    </Link>
  );
}

/** What is known of one device, as of one that is being mended, while the others are told. */
function PauseDevice({ farmUID, device: { uid, name } }: OfDevice) {
  const { data } = useQuery(alertsQuery(farmUID));
  return (
    <Pause
      farmUID={farmUID}
      of={{ alertUID: null, deviceUID: uid }}
      name={`all alerts of ${name}`}
      label={`Pause ${name}…`}
      paused={data?.pausedDevices.find((one) => one.uid === uid) ?? null}
    />
  );
}
