import { type ComponentType, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { lazyAgain } from './lazy-again.ts';
import { toast } from './toasts.ts';

interface Closable {
  /** Of a dialog that stays on its page while it is closed; absent: it is there while it is open. */
  isOpen?: boolean;
  onClose: () => void;
}

/**
 * A dialog whose code comes when it is first opened. Where it doesn't come that is said and the dialog is closed: the page stays, and the
 * next opening tries again. `close`: what closes one that has no `onClose`.
 */
export function lazyDialog<Props extends Closable>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props>;
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  close: (props: Props) => void,
): ComponentType<Props>;
export function lazyDialog<Props extends Partial<Closable>>(
  load: () => Promise<ComponentType<Props>>,
  close = ({ onClose }: Props) => onClose?.(),
): ComponentType<Props> {
  const latest = lazyAgain<Props>(load, (props) => <NotLoaded close={() => close(props)} />);
  return function LazyDialog(props: Props) {
    const { isOpen = true } = props;
    const [opened, setOpened] = useState({ isOpen, Dialog: latest.current });
    // Only with an opening: drawn while it closes, one that failed would be tried again at once, and fail again.
    if (isOpen !== opened.isOpen) setOpened({ isOpen, Dialog: isOpen ? latest.current : opened.Dialog });
    const { Dialog } = opened;
    return (
      <Suspense>
        <Dialog {...props} />
      </Suspense>
    );
  };
}

function NotLoaded({ close }: { close: () => void }) {
  const closeIt = useEffectEvent(close);
  useEffect(() => {
    toast.error("That couldn't be loaded. Please check the connection and try again.");
    closeIt();
  }, []);
  return null;
}
