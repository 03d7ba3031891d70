import { type ComponentProps, Suspense } from 'react';
import { lazyAgain } from '../ui/lazy-again.ts';
import type { DeviceAlerts as Loaded } from './device-alerts.tsx';

type Props = ComponentProps<typeof Loaded>;

/** Without a network what was never fetched is left out, as the page around it says that there is none, and asked for again. */
const latest = lazyAgain<Props>(
  () => import('./device-alerts.tsx').then((m) => m.DeviceAlerts),
  () => null,
);

/** What alerts have told of a device, fetched after the page around it. */
export function DeviceAlerts(props: Props) {
  const Latest = latest.current;
  return (
    <Suspense>
      <Latest {...props} />
    </Suspense>
  );
}
