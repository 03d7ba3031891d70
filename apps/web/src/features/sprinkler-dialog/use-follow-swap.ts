import { useEffect, useState } from 'react';
import { onSwap, type SwapResult } from '../../api/live-events.ts';
import { useSprinklerDialog } from './sprinkler-search.ts';

/** The swap is read before its place is shown anew, ms. spec 2 §9 */
const FOLLOW_MS = 500;

/**
 * The unit that the dialog shows was taken out of its place: goes on to the one that is there now, once the page knows that one.
 * Returns what happened while that is under way. Whoever went on to another unit meanwhile stays there.
 */
export function useFollowSwap(farmUID: string, knows: (id: string) => boolean): string | null {
  const { search, go } = useSprinklerDialog();
  const [swap, setSwap] = useState<SwapResult | null>(null);
  const [isDue, setIsDue] = useState(false);
  const isOurs = swap !== null && swap.from.id === search.ipc;
  // Gone on, or never shown: who comes back to the unit that was taken out wants to see that one.
  if (swap !== null && !isOurs) setSwap(null);
  useEffect(
    () =>
      onSwap((news) => {
        if (!news.success || news.farmUID !== farmUID) return;
        setSwap(news);
        setIsDue(false);
      }),
    [farmUID],
  );
  useEffect(() => {
    if (!isOurs) return undefined;
    const timer = setTimeout(() => setIsDue(true), FOLLOW_MS);
    return () => clearTimeout(timer);
  }, [isOurs]);
  const next = isOurs && isDue && knows(swap.to.id) ? swap.to.id : null;
  useEffect(() => {
    if (next !== null) go(next);
  }, [next, go]);
  return isOurs ? swap.message : null;
}
