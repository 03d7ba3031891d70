import { useCallback, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../../ui/after-paint.ts';

/**
 * The unit that the dialog shows: the one that was stepped to, though the page's address names it a moment later. The address takes the
 * whole page with it, and who steps through a list looks at the dialog.
 */
export function useAhead(addressed: string | null, go: (id: string) => void) {
  const [steps, setSteps] = useState<readonly string[]>([]);
  const last = steps.at(-1) ?? null;
  // It comes by each step in turn; once it is there, or somewhere else, it says which unit is shown.
  const isOnItsWay = addressed !== null && addressed !== last && steps.includes(addressed);
  if (steps.length > 0 && !isOnItsWay) setSteps([]);
  // Once the unit is painted: the address takes a phone longer than the unit does.
  const follow = useRef<() => void>(undefined);
  useEffect(() => {
    if (last === null) return;
    const cancel = afterPaint(() => go(last));
    follow.current = cancel;
    return cancel;
  }, [last, go]);
  const step = (id: string) =>
    setSteps((before) => (before.length > 0 || addressed === null ? [...before, id] : [addressed, id]));
  /** Before the address goes elsewhere: where it hasn't followed the last step yet it would come back by it. */
  const stop = useCallback(() => follow.current?.(), []);
  return { shown: isOnItsWay ? last : addressed, step, stop };
}
