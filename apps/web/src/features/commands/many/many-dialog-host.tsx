import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { ManyDialogProps } from './many-dialog.tsx';

const ManyDialog = lazyDialog<ManyDialogProps>(() => import('./many-dialog.tsx').then((m) => m.default));

/** The dialog's place: its code comes when it is first wanted. */
export const ManyDialogHost = (props: ManyDialogProps) => (
  <ManyDialog key={`${props.command}/${props.scope.gateway?.mac ?? props.scope.groupUID}`} {...props} />
);
