import { lazy, Suspense, useState } from 'react';
import type { SprinklerDialogProps } from './sprinkler-dialog.tsx';

const SprinklerDialog = lazy(() => import('./sprinkler-dialog.tsx'));

/** The sprinkler dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function SprinklerDialogHost(props: SprinklerDialogProps) {
  const [wasOpen, setWasOpen] = useState(false);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <SprinklerDialog {...props} />
    </Suspense>
  );
}
