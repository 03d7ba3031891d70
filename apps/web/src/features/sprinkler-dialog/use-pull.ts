import { type TouchEvent, useRef, useState } from 'react';

/** A finger that has gone down so far means it, px. */
const PULL_PX = 80;
/** Before that it may still be anything. */
const BEGIN_PX = 16;

export type Pull = 'none' | 'pulling' | 'ready';

/** For a part that scrolls: pulled down from its top, and let go. */
export function usePull(onPull: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const [pull, setPull] = useState<Pull>('none');
  const end = () => {
    start.current = null;
    setPull('none');
  };
  const handlers = {
    onTouchStart: ({ touches, currentTarget }: TouchEvent) => {
      const touch = touches[0];
      const isAtTop = currentTarget.scrollTop <= 0;
      start.current =
        touch && touches.length === 1 && isAtTop ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      const from = start.current;
      if (!touch || !from) return;
      const [right, down] = [touch.clientX - from.x, touch.clientY - from.y];
      // To a side, or up: it goes on to another unit, or scrolls.
      if (touches.length > 1 || Math.abs(right) > Math.max(BEGIN_PX, down)) end();
      else setPull(down < BEGIN_PX ? 'none' : down < PULL_PX ? 'pulling' : 'ready');
    },
    onTouchEnd: () => {
      const isReady = pull === 'ready';
      end();
      if (isReady) onPull();
    },
    onTouchCancel: end,
  };
  return { pull, handlers };
}
