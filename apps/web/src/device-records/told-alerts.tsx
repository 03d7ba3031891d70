import { lazy, type ComponentProps, Suspense } from 'react';
import type { DeviceAlerts as OfDevice } from './device-alerts.tsx';
import type { OpenAlertList as OfFarm } from './open-alert-list.tsx';

/** Without a network what was never fetched is left out: the page around it says that there is none. */
const Nothing = () => null;
const LazyDevice = lazy(() =>
  import('./device-alerts.tsx').then(
    (m) => ({ default: m.DeviceAlerts }),
    () => ({ default: Nothing as typeof OfDevice }),
  ),
);
const LazyFarm = lazy(() =>
  import('./open-alert-list.tsx').then(
    (m) => ({ default: m.OpenAlertList }),
    () => ({ default: Nothing as typeof OfFarm }),
  ),
);

/** What alerts have told of a device, as it is told: fetched after the page around it. */
export const DeviceAlerts = (props: ComponentProps<typeof OfDevice>) => (
  <Suspense>
    <LazyDevice {...props} />
  </Suspense>
);

/** What alerts have told of a farm; nothing is fetched where they told nothing. */
export const OpenAlerts = (props: ComponentProps<typeof OfFarm>) =>
  props.open.length > 0 && (
    <Suspense>
      <LazyFarm {...props} />
    </Suspense>
  );
