import { startTransition, useEffect, useState } from 'react';

/**
 * How many of `total` to draw: some at first, and some more after each time that the page was painted. A long list drawn in one go
 * holds up a slow phone; of this one the first screen is there at once, and the rest before anybody has scrolled to it.
 */
export function useGrowing(total: number, step: number): number {
  const [count, setCount] = useState(step);
  useEffect(() => {
    if (count >= total) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const grow = () => startTransition(() => setCount((before) => before + step));
    // The frame's own work is done in the task after it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(grow);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [count, total, step]);
  return Math.min(count, total);
}
