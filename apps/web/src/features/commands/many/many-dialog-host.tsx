import { lazy, Suspense } from 'react';
import type { ManyDialogProps } from './many-dialog.tsx';

const ManyDialog = lazy(() => import('./many-dialog.tsx'));

/** The dialog's place: its code comes when it is first wanted. */
export const ManyDialogHost = (props: ManyDialogProps) => (
  <Suspense>
    <ManyDialog key={`${props.command}/${props.scope.gateway?.mac ?? props.scope.groupUID}`} {...props} />
  </Suspense>
);
