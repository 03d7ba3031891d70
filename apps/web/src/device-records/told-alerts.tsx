import { lazy, type ComponentProps, Suspense } from 'react';
import type { OpenAlertList as Loaded } from './open-alert-list.tsx';

const Loading = lazy(() =>
  import('./open-alert-list.tsx').then(
    (m) => ({ default: m.OpenAlertList }),
    // Without a network what was never fetched is left out: the page around it says that there is none.
    () => ({ default: (() => null) as unknown as typeof Loaded }),
  ),
);

/** What alerts have told of a farm; nothing is fetched where they told nothing. */
export const OpenAlerts = (props: ComponentProps<typeof Loaded>) =>
  props.open.length > 0 && (
    <Suspense>
      <Loading {...props} />
    </Suspense>
  );
