import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useTankDialog } from './tank-search.ts';

const TankDialog = lazyDialog(() => import('./tank-dialog.tsx').then((m) => m.default));

/** The tank dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function TankDialogHost() {
  const { search, close } = useTankDialog();
  const isOpen = search.tank !== undefined;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <TankDialog isOpen={isOpen} onClose={close} />;
}
