import { type ComponentProps, Suspense } from 'react';
import { lazyAgain } from '../ui/lazy-again.ts';
import { AlertsLink } from './alerts-link.tsx';
import type { DeviceAlerts as Loaded } from './device-alerts.tsx';
import { openDevice, useDeviceAlerts } from './open-alerts.ts';

type Props = ComponentProps<typeof Loaded>;

function Counted({ farmUID, uid }: Props) {
  const open = useDeviceAlerts(farmUID, uid);
  return <AlertsLink open={open.filter((incident) => openDevice(incident, uid))} />;
}

const latest = lazyAgain<Props>(() => import('./device-alerts.tsx').then((m) => m.DeviceAlerts), Counted);

/** What alerts have told of a device, fetched after the page around it; a link says how many where it can't be. */
export function DeviceAlerts(props: Props) {
  const Latest = latest.current;
  return (
    <Suspense>
      <Latest {...props} />
    </Suspense>
  );
}
