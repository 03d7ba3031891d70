import { useEffect, useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { type Opening, useTapped } from './opening.ts';
import type { SprinklerDialogProps } from './sprinkler-dialog.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';

const SprinklerDialog = lazyDialog<SprinklerDialogProps>(() =>
  import('./sprinkler-dialog.tsx').then((m) => m.default),
);

interface HostProps extends Omit<SprinklerDialogProps, 'addressed' | 'onClose'> {
  opening: Opening;
}

/** The sprinkler dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function SprinklerDialogHost({ opening, ...props }: HostProps) {
  const { search, close } = useSprinklerDialog();
  const tapped = useTapped(opening);
  const inAddress = search.ipc ?? null;
  useEffect(() => opening.addressIs(inAddress), [opening, inAddress]);
  const isOpen = props.isOpen || tapped !== null;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const onClose = () => {
    if (!opening.takeBack()) close();
  };
  return wasOpen && <SprinklerDialog {...props} {...{ isOpen, onClose }} addressed={tapped ?? inAddress} />;
}
