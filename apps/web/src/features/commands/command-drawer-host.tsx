import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useCommandDrawer } from './command-search.ts';

const CommandDrawer = lazyDialog<{ farmUID: string; isOpen: boolean; onClose: () => void }>(() =>
  import('./command-drawer.tsx').then((m) => m.default),
);

/** The place of a command's details on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function CommandDrawerHost({ farmUID }: { farmUID: string }) {
  const { id, close } = useCommandDrawer();
  const isOpen = id !== undefined;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <CommandDrawer farmUID={farmUID} isOpen={isOpen} onClose={close} />;
}
