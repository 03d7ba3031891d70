import { type TouchEvent, type UIEvent, useEffect, useEffectEvent, useRef } from 'react';

const OPEN_DIALOGS = '[role="dialog"][aria-modal="true"]';
/** They use the arrow keys, or are swiped, themselves. */
const OWN_KEYS = 'input, select, textarea, [role="tab"], [role="menu"], [contenteditable="true"]';
const OWN_SWIPE = `${OWN_KEYS}, canvas`;
/** They do where they are wider than their place. */
const MAY_SCROLL = '[data-own-swipe]';
/** A finger goes at least so far to a side, and more than twice as far as up or down, px. */
const SWIPE_PX = 60;

/**
 * For a part that a finger scrolls to a side. At its beginning a swipe to the right scrolls nothing, and the browser would take it for
 * its own Back, which closes the dialog.
 */
export const ownSwipe = {
  'data-own-swipe': 'beginning',
  onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => {
    currentTarget.dataset['ownSwipe'] = currentTarget.scrollLeft > 0 ? 'further' : 'beginning';
  },
};

interface Steps {
  isOpen: boolean;
  previous: () => void;
  next: () => void;
}

/** The left and right arrow keys go on to the unit before and after, unless what has the focus needs them, or a question is in front. */
export function useArrowKeys({ isOpen, previous, next }: Steps): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
    if (document.querySelectorAll(OPEN_DIALOGS).length > 1) return;
    if (event.key === 'ArrowLeft') previous();
    else next();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** For the part that is swiped: to the left for the next unit, to the right for the one before. */
export function useSwipe({ previous, next }: Omit<Steps, 'isOpen'>) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0];
      const isOwn = target instanceof Element && isSwiped(target);
      start.current = touch && touches.length === 1 && !isOwn ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      const from = start.current;
      start.current = null;
      if (!touch || !from) return;
      const [right, down] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(right) < SWIPE_PX || Math.abs(right) < 2 * Math.abs(down)) return;
      if (right < 0) next();
      else previous();
    },
    onTouchCancel: () => {
      start.current = null;
    },
  };
}

function isSwiped(target: Element): boolean {
  const scroller = target.closest(MAY_SCROLL);
  return (
    target.closest(OWN_SWIPE) !== null || (scroller !== null && scroller.scrollWidth > scroller.clientWidth)
  );
}
