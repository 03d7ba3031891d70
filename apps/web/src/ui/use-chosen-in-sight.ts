import { useEffect, useRef } from 'react';

/** For a row of tabs (`data-tab`) that is wider than a narrow screen: the chosen one is scrolled into sight. */
export function useChosenInSight(tab: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = list.current;
    const chosen = row?.querySelector<HTMLElement>(`[data-tab="${tab}"]`);
    if (!row || !chosen) return;
    const end = chosen.offsetLeft + chosen.offsetWidth;
    if (end > row.scrollLeft + row.clientWidth) row.scrollLeft = end - row.clientWidth;
    else row.scrollLeft = Math.min(row.scrollLeft, chosen.offsetLeft);
  }, [tab]);
  return list;
}
