import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { GatewayDialogProps } from './gateway-dialog.tsx';

/** The gateway dialog, whose code comes when it is first opened. */
export const LazyGatewayDialog = lazyDialog<GatewayDialogProps>(() =>
  import('./gateway-dialog.tsx').then((m) => m.default),
);
