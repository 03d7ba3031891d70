import { lazy, type ComponentProps, Suspense } from 'react';
import type { DeviceAlerts as Loaded } from './device-alerts.tsx';

const Loading = lazy(() =>
  import('./device-alerts.tsx').then(
    (m) => ({ default: m.DeviceAlerts }),
    // Without a network what was never fetched is left out: the page around it says that there is none.
    () => ({ default: (() => null) as unknown as typeof Loaded }),
  ),
);

/** What alerts have told of a device, fetched after the page around it. */
export const DeviceAlerts = (props: ComponentProps<typeof Loaded>) => (
  <Suspense>
    <Loading {...props} />
  </Suspense>
);
