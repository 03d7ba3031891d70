import { useEffect, useState } from 'react';
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
  useEffect(() => (last === null ? undefined : afterPaint(() => go(last))), [last, go]);
  const step = (id: string) =>
    setSteps((before) => (before.length > 0 || addressed === null ? [...before, id] : [addressed, id]));
  return { shown: isOnItsWay ? last : addressed, step };
}
