import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { HoldDialogProps } from './hold-dialog.tsx';

/** Its code comes when it is first wanted. */
export const HoldDialogHost = lazyDialog<HoldDialogProps>(() =>
  import('./hold-dialog.tsx').then((m) => m.default),
);
