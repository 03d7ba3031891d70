import { Suspense } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.ts';
import type { HoldDialogProps } from './hold-dialog.tsx';

const dialog = lazyDialog<HoldDialogProps>(() => import('./hold-dialog.tsx').then((m) => m.default));

/** The dialog's place: its code comes when it is first wanted. */
export function HoldDialogHost(props: HoldDialogProps) {
  const HoldDialog = dialog.current;
  return (
    <Suspense>
      <HoldDialog {...props} />
    </Suspense>
  );
}
