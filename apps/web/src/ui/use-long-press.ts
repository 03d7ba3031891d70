import { useEffect, useRef, useState } from 'react';

/** A tooltip opens on a press this long, and stays this long, ms. spec 1 §9 */
const LONG_PRESS_MS = 400;
const SHOWN_MS = 5000;

/** What touch opens for a while: `touch` are the handlers of what is pressed. */
export function useLongPress(onOpen?: () => void) {
  const [isOpen, setIsOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    setIsOpen(false);
  };
  const open = () => {
    onOpen?.();
    setIsOpen(true);
    timer.current = setTimeout(close, SHOWN_MS);
  };
  const onTouchStart = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(open, LONG_PRESS_MS);
  };
  const release = () => {
    if (!isOpen) clearTimeout(timer.current);
  };
  return { isOpen, close, touch: { onTouchStart, onTouchEnd: release, onTouchCancel: release } };
}
