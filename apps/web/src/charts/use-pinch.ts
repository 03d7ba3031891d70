import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { PINCH_BELOW_PX } from '@headrace/contract/limits';
import { noPinch, pinched, type Pinch, type Touch } from './pinch.ts';

const kinds: Record<string, Touch['kind']> = { pointerdown: 'down', pointermove: 'move' };

/** Tells of two fingers that part or meet on the element, on screens that are narrow enough. */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  onPinch: ((pinch: Pinch) => void) | undefined,
): void {
  const state = useRef(noPinch);
  const isAsked = onPinch !== undefined;
  const tell = useEffectEvent((pinch: Pinch) => onPinch?.(pinch));
  useEffect(() => {
    const target = element.current;
    if (!target || !isAsked) return undefined;
    const listener = (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || innerWidth >= PINCH_BELOW_PX) return;
      const { pointerId: id, clientX: x, clientY: y, timeStamp: at, type } = event;
      const next = pinched(state.current, { kind: kinds[type] ?? 'up', id, x, y, at });
      state.current = next.state;
      if (next.turn) tell(next.turn);
    };
    const names = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;
    // Seen before the drawing takes them.
    for (const name of names) target.addEventListener(name, listener, { capture: true });
    return () => {
      for (const name of names) target.removeEventListener(name, listener, { capture: true });
    };
  }, [element, isAsked]);
}
