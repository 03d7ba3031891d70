import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { SprinklerDialogProps } from './sprinkler-dialog.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';

const SprinklerDialog = lazyDialog<SprinklerDialogProps & { onClose: () => void }>(() =>
  import('./sprinkler-dialog.tsx').then((m) => m.default),
);

/** The sprinkler dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function SprinklerDialogHost(props: SprinklerDialogProps) {
  const { close } = useSprinklerDialog();
  const [wasOpen, setWasOpen] = useState(false);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <SprinklerDialog {...props} onClose={close} />;
}
