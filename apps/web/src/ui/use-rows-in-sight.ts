import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePrinted } from './use-printed.ts';

/** What scrolls a list: itself, the nearest `data-scroller` around it, or the page. */
export type ListScroller = 'itself' | 'around' | 'page';

/** Rows drawn beyond both edges of what is seen: the keyboard always has a next one to go to. */
const OVERSCAN = 10;
/** On paper: more would hold up the browser for a minute. */
export const PRINTED_ROWS = 500;
/** Of a list that has no height yet. */
const ROWS_AT_FIRST = 32;

interface Seen {
  from: number;
  to: number;
  /** The row with the focus, where it was scrolled out of these; null: there is none. */
  held: number | null;
}

/**
 * The places of the rows that a long list draws: those in sight, followed as it scrolls or changes its size, and the one that has the
 * focus, which would be lost with it. Every row is `rowPx` high and has its place as `data-place`. On paper a page's list has its first
 * `PRINTED_ROWS`.
 */
export function useRowsInSight(
  list: RefObject<HTMLElement | null>,
  { rowPx, count, scroller }: { rowPx: number; count: number; scroller: ListScroller },
): readonly number[] {
  const seen = useSeen(list, rowPx, scroller);
  const { held } = seen;
  const isPrinted = usePrinted() && scroller === 'page';
  // A list that became shorter is drawn from its end until it is scrolled there.
  const from = isPrinted ? 0 : Math.max(0, Math.min(seen.from, count - (seen.to - seen.from)));
  const to = isPrinted ? Math.min(count, PRINTED_ROWS) : Math.min(count, seen.to);
  const places = Array.from({ length: to - from }, (_, n) => from + n);
  if (held === null || held >= count || (held >= from && held < to)) return places;
  return held < from ? [held, ...places] : [...places, held];
}

function useSeen(list: RefObject<HTMLElement | null>, rowPx: number, scroller: ListScroller): Seen {
  const [seen, setSeen] = useState<Seen>({ from: 0, to: 2 * OVERSCAN, held: null });
  useLayoutEffect(() => {
    const element = list.current;
    const by = element && scrollerOf(element, scroller);
    if (!by) return undefined;
    const look = () => {
      const { hiddenPx, heightPx } = viewOf(element, by);
      const from = Math.max(0, Math.floor(hiddenPx / rowPx) - OVERSCAN);
      const to = Math.max(0, Math.ceil((hiddenPx + (heightPx || ROWS_AT_FIRST * rowPx)) / rowPx)) + OVERSCAN;
      const held = focusedPlace(element, from, to);
      setSeen((before) =>
        before.from === from && before.to === to && before.held === held ? before : { from, to, held },
      );
    };
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      if (rowOf(relatedTarget) !== rowOf(target)) setSeen((before) => letGo(before));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(by instanceof Window ? document.documentElement : by);
    by.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    element.addEventListener('focusout', leave);
    return () => {
      sizes.disconnect();
      by.removeEventListener('scroll', look);
      removeEventListener('resize', look);
      element.removeEventListener('focusout', leave);
    };
  }, [list, rowPx, scroller]);
  return seen;
}

function scrollerOf(list: HTMLElement, scroller: ListScroller): HTMLElement | Window | null {
  if (scroller === 'page') return window;
  return scroller === 'itself' ? list : list.closest<HTMLElement>('[data-scroller]');
}

/** How much of the list lies above the upper edge of what shows it, and how high that is. */
function viewOf(list: HTMLElement, by: HTMLElement | Window): { hiddenPx: number; heightPx: number } {
  if (by === list) return { hiddenPx: list.scrollTop, heightPx: list.clientHeight };
  const { top } = list.getBoundingClientRect();
  return by instanceof HTMLElement
    ? { hiddenPx: by.getBoundingClientRect().top - top, heightPx: by.clientHeight }
    : { hiddenPx: -top, heightPx: innerHeight };
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;

/**
 * The place of the row that holds the focus, where that isn't among those from `from` to before `to`; null: it is, or none does. Looked
 * for as the list is scrolled, not as the focus moves: a tap moves it, and what it opens would wait until all rows are drawn again.
 */
function focusedPlace(list: HTMLElement, from: number, to: number): number | null {
  const row = rowOf(document.activeElement);
  const place = row && list.contains(row) ? Number(row.dataset['place']) : null;
  return place === null || (place >= from && place < to) ? null : place;
}

const letGo = (seen: Seen): Seen => (seen.held === null ? seen : { ...seen, held: null });
