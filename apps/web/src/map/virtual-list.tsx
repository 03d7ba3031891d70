import { useEffect, useRef, useState, type ReactNode } from 'react';
import classes from './virtual-list.module.css';

/** Rows drawn beyond both edges of what is seen. */
const OVERSCAN = 8;

export interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  /** The height of every row, px. */
  rowPx: number;
  keyOf: (item: T) => string;
  /** Brought into sight when it changes. */
  shown?: string | null | undefined;
  children: (item: T) => ReactNode;
}

/** A list that scrolls by itself and of which only the rows in sight are drawn. */
export function VirtualList<T>({ label, items, rowPx, keyOf, shown, children }: VirtualListProps<T>) {
  const scroller = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState({ from: 0, to: 40 });
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const look = () => {
      const from = Math.max(0, Math.floor(box.scrollTop / rowPx) - OVERSCAN);
      const rows = Math.ceil((box.clientHeight || 32 * rowPx) / rowPx);
      const to = from + rows + 2 * OVERSCAN;
      setSeen((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [rowPx]);

  const place = shown ? items.findIndex((item) => keyOf(item) === shown) : -1;
  useEffect(() => {
    const box = scroller.current;
    if (!box || place < 0) return;
    const top = place * rowPx;
    if (top < box.scrollTop || top + rowPx > box.scrollTop + box.clientHeight)
      box.scrollTop = top - box.clientHeight / 2;
    // Only another row that is asked for moves the list, not one that changed its place.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shown]);

  const first = Math.min(seen.from, Math.max(0, items.length - (seen.to - seen.from)));
  return (
    <ul ref={scroller} className={classes.list} aria-label={label} tabIndex={-1}>
      {items.slice(first, seen.to).map((item, n) => (
        <li
          key={keyOf(item)}
          aria-setsize={items.length}
          aria-posinset={first + n + 1}
          style={{ height: rowPx, transform: `translateY(${(first + n) * rowPx}px)` }}
        >
          {children(item)}
        </li>
      ))}
      <li aria-hidden="true" className={classes.end} style={{ top: items.length * rowPx - 1 }} />
    </ul>
  );
}
