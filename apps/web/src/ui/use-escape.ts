import { useEffect, useEffectEvent } from 'react';

const OPEN = '[role="dialog"][aria-modal="true"]';

/**
 * Escape closes what is open, but not together with a dialog that stands in front of it. The kit closes all that are open, and
 * its listeners change their order; this one listens from the beginning on, before any in front does. `own`: how many dialogs
 * it is itself, none for a popup of a map.
 */
export function useEscape(isOpen: boolean, close: () => void, own: 0 | 1 = 1): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || !isOpen) return;
    // The kit's mark on what has a menu or a list open, which Escape closes first.
    const isTaken =
      event.target instanceof Element &&
      event.target.getAttribute('data-mantine-stop-propagation') === 'true';
    if (!isTaken && document.querySelectorAll(OPEN).length <= own) close();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onEscape(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
}
