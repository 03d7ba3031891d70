import { useEffect, useRef, type ReactNode } from 'react';
import { type ListScroller, useRowsInSight } from './use-rows-in-sight.ts';
import classes from './virtual-list.module.css';

export interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  /** The height of every row, px. */
  rowPx: number;
  keyOf: (item: T, place: number) => string;
  /** `around`: the nearest `data-scroller` that it stands in. */
  scroller?: Exclude<ListScroller, 'page'>;
  /** Brought into sight when it changes, in a list that scrolls itself. */
  shown?: string | null | undefined;
  /** Its rows have nothing to press: whoever has keys alone scrolls the list itself. */
  isRead?: boolean;
  children: (item: T) => ReactNode;
}

/** A long list of which only the rows in sight are drawn; it tells how many there are. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, rowPx, keyOf, scroller = 'itself', shown, isRead = false, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const places = useRowsInSight(list, { rowPx, count: items.length, scroller });
  const shownPlace = shown ? items.findIndex((item, place) => keyOf(item, place) === shown) : -1;
  useEffect(() => {
    const box = list.current;
    if (!box || shownPlace < 0) return;
    const top = shownPlace * rowPx;
    if (top < box.scrollTop || top + rowPx > box.scrollTop + box.clientHeight)
      box.scrollTop = top - box.clientHeight / 2;
    // Only another row that is asked for moves the list, not one that changed its place.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shown]);

  const totalPx = items.length * rowPx;
  const isAround = scroller === 'around';
  return (
    <ul
      ref={list}
      className={isAround ? classes.list : `${classes.list} ${classes.scrolling}`}
      style={isAround ? { height: totalPx } : undefined}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes keys
      tabIndex={isRead ? 0 : -1}
    >
      {places.map((place) => {
        const item = items[place] as T;
        return (
          <li
            key={keyOf(item, place)}
            data-place={place}
            aria-setsize={items.length}
            aria-posinset={place + 1}
            style={{ height: rowPx, transform: `translateY(${place * rowPx}px)` }}
          >
            {children(item)}
          </li>
        );
      })}
      {!isAround && <li aria-hidden="true" className={classes.end} style={{ top: totalPx - 1 }} />}
    </ul>
  );
}
