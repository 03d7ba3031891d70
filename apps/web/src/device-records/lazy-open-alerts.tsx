import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { lazyAgain } from '../ui/lazy-again.ts';
import type { OpenAlertList } from './open-alert-list.tsx';
import { AlertsLink } from './alerts-link.tsx';

type Props = ComponentProps<typeof OpenAlertList>;

const latest = lazyAgain<Props>(
  () => import('./open-alert-list.tsx').then((m) => m.OpenAlertList),
  ({ open, isCut, label }) => <AlertsLink open={open} isCut={isCut} label={label} />,
);

/** What alerts have told of a farm; nothing is fetched where they told nothing, and a link says how many where it can't be. */
export function OpenAlerts({ waiting, ...props }: Props & { waiting?: ReactNode }) {
  const Latest = latest.current;
  return (
    props.open.length > 0 && (
      <Suspense fallback={waiting}>
        <Latest {...props} />
      </Suspense>
    )
  );
}
