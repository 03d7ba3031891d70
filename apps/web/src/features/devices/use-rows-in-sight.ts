import { type RefObject, useLayoutEffect, useState } from 'react';

/** Rows drawn beyond both edges of what is seen. */
const OVERSCAN = 10;

/** Which rows of a long list are in sight of the page, by place; followed as it scrolls or changes its size. */
export function useRowsInSight(
  list: RefObject<HTMLElement | null>,
  rowPx: number,
  count: number,
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 2 * OVERSCAN });
  useLayoutEffect(() => {
    const look = () => {
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const from = Math.max(0, Math.floor(-top / rowPx) - OVERSCAN);
      const to = Math.max(0, Math.ceil((innerHeight - top) / rowPx)) + OVERSCAN;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [list, rowPx]);
  // A list that became shorter is drawn from its end until the page has scrolled there.
  const from = Math.max(0, Math.min(range.from, count - (range.to - range.from)));
  return { from, to: Math.min(count, Math.max(range.to, from)) };
}
