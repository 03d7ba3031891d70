import { lazy, type ComponentProps, Suspense } from 'react';
import type { DeviceAlerts as Loaded } from './device-alerts.tsx';

/** Without a network what was never fetched is left out, as the page around it says that there is none, and asked for again. */
const load = () =>
  lazy(() =>
    import('./device-alerts.tsx')
      .then((m) => ({ default: m.DeviceAlerts }))
      .catch(() => {
        latest = load();
        return { default: (() => null) as unknown as typeof Loaded };
      }),
  );
let latest = load();

/** What alerts have told of a device, fetched after the page around it. */
export function DeviceAlerts(props: ComponentProps<typeof Loaded>) {
  const Latest = latest;
  return (
    <Suspense>
      <Latest {...props} />
    </Suspense>
  );
}
