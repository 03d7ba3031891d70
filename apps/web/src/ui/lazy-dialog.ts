import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { lazyAgain } from './lazy-again.ts';
import { toast } from './toasts.ts';

interface Closed {
  onClose: () => void;
}

/** A dialog whose code comes when it is first opened. Where it doesn't come that is said and the dialog is closed: the page stays. */
export const lazyDialog = <Props extends Closed>(load: () => Promise<ComponentType<Props>>) =>
  lazyAgain<Props>(load, NotLoaded);

function NotLoaded({ onClose }: Closed) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    toast.error("That couldn't be loaded. Please check the connection and try again.");
    close();
  }, []);
  return null;
}
