import { lazy, Suspense } from 'react';
import type { HoldDialogProps } from './hold-dialog.tsx';

const HoldDialog = lazy(() => import('./hold-dialog.tsx'));

/** The dialog's place: its code comes when it is first wanted. */
export const HoldDialogHost = (props: HoldDialogProps) => (
  <Suspense>
    <HoldDialog {...props} />
  </Suspense>
);
