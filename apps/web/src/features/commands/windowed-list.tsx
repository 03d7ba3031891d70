import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import classes from './command-drawer.module.css';

/** Rows drawn beyond both edges of what is seen. */
const OVERSCAN = 12;

export interface WindowedListProps<T> {
  label: string;
  items: readonly T[];
  /** The height of every row, px. */
  rowPx: number;
  keyOf: (item: T, place: number) => string;
  children: (item: T) => ReactNode;
}

/** A long list of which only the rows in sight are drawn. It scrolls with the nearest `data-scroller` around it. */
export function WindowedList<T>({ label, items, rowPx, keyOf, children }: WindowedListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const { from, to } = useWindow(list, rowPx);
  const first = Math.min(from, Math.max(0, items.length - (to - from)));
  return (
    <ul
      ref={list}
      className={classes.windowed}
      aria-label={label}
      style={{ height: items.length * rowPx, ['--row' as string]: `${rowPx}px` }}
    >
      {items.slice(first, to).map((item, n) => (
        <li
          key={keyOf(item, first + n)}
          aria-setsize={items.length}
          aria-posinset={first + n + 1}
          style={{ transform: `translateY(${(first + n) * rowPx}px)` }}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** Which rows are in sight, by place; followed as the scroller scrolls or changes its size. */
function useWindow(list: RefObject<HTMLElement | null>, rowPx: number): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 2 * OVERSCAN });
  useEffect(() => {
    const scroller = list.current?.closest<HTMLElement>('[data-scroller]');
    if (!scroller) return undefined;
    const look = () => {
      if (!list.current) return;
      const hidden = scroller.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
      const from = Math.max(0, Math.floor(hidden / rowPx) - OVERSCAN);
      const to = Math.max(0, Math.ceil((hidden + scroller.clientHeight) / rowPx)) + OVERSCAN;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [list, rowPx]);
  return range;
}
