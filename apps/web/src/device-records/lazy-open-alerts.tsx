import { type ComponentProps, Suspense } from 'react';
import { lazyAgain } from '../ui/lazy-again.ts';
import type { OpenAlertList } from './open-alert-list.tsx';
import { AlertsLink } from './alerts-link.tsx';

type Props = ComponentProps<typeof OpenAlertList>;

const latest = lazyAgain<Props>(
  () => import('./open-alert-list.tsx').then((m) => m.OpenAlertList),
  ({ open, label }) => <AlertsLink open={open} label={label} />,
);

/** What alerts have told of a farm; nothing is fetched where they told nothing, and a link says how many where it can't be. */
export function OpenAlerts(props: Props) {
  const Latest = latest.current;
  return (
    props.open.length > 0 && (
      <Suspense>
        <Latest {...props} />
      </Suspense>
    )
  );
}
