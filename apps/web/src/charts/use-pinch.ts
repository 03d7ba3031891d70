import { useEffect, type RefObject } from 'react';
import { PINCH_BELOW_PX } from '@headrace/contract/limits';
import { noPinch, pinched, type Pinch, type Touch } from './pinch.ts';

const kinds: Record<string, Touch['kind']> = { pointerdown: 'down', pointermove: 'move' };

/** Tells of two fingers that part or meet on the element, on screens that are narrow enough. */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  onPinch: ((pinch: Pinch) => void) | undefined,
): void {
  useEffect(() => {
    const target = element.current;
    if (!target || !onPinch) return undefined;
    let state = noPinch;
    const listener = (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || innerWidth >= PINCH_BELOW_PX) return;
      const { pointerId: id, clientX: x, clientY: y, timeStamp: at, type } = event;
      const next = pinched(state, { kind: kinds[type] ?? 'up', id, x, y, at });
      state = next.state;
      if (next.turn) onPinch(next.turn);
    };
    const names = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;
    // Seen before the drawing takes them.
    for (const name of names) target.addEventListener(name, listener, { capture: true });
    return () => {
      for (const name of names) target.removeEventListener(name, listener, { capture: true });
    };
  }, [element, onPinch]);
}
