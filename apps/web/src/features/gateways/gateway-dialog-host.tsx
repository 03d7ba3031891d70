import { useState } from 'react';
import { useGatewayDialog } from './gateway-search.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { GatewayDialogProps } from './gateway-dialog.tsx';

const GatewayDialog = lazyDialog<GatewayDialogProps>(() =>
  import('./gateway-dialog.tsx').then((m) => m.default),
);

export interface GatewayDialogHostProps {
  /** What the page calls a gateway, until its record is there. */
  nameOf: (id: string) => string | undefined;
}

/** The gateway dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function GatewayDialogHost({ nameOf }: GatewayDialogHostProps) {
  const { id, close } = useGatewayDialog();
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  if (last === undefined) return null;
  return <GatewayDialog isOpen={id !== undefined} id={last} name={nameOf(last)} onClose={close} />;
}
