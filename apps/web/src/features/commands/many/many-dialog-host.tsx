import { Suspense } from 'react';
import { lazyDialog } from '../../../ui/lazy-dialog.ts';
import type { ManyDialogProps } from './many-dialog.tsx';

const dialog = lazyDialog<ManyDialogProps>(() => import('./many-dialog.tsx').then((m) => m.default));

/** The dialog's place: its code comes when it is first wanted. */
export function ManyDialogHost(props: ManyDialogProps) {
  const ManyDialog = dialog.current;
  return (
    <Suspense>
      <ManyDialog key={`${props.command}/${props.scope.gateway?.mac ?? props.scope.groupUID}`} {...props} />
    </Suspense>
  );
}
