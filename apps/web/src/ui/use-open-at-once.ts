import { useEffect, useRef, useState } from 'react';

/** For a menu that comes when it is asked for (`OnDemand`): its button takes over the focus, and it is open. */
export function useOpenAtOnce(isAsked = true) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    button.current?.focus();
    // After the focus, so that closing gives it back to the button.
    // oxlint-disable-next-line react/set-state-in-effect
    setIsOpen(true);
  }, [isAsked]);
  return { button, isOpen, setIsOpen };
}
