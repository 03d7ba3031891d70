import { useEffect, useEffectEvent, type RefObject } from 'react';
import type { Drawn } from './engine.ts';

/** Tells where on the axis below a chart was clicked: the value there, or the number of its category. */
export function usePick(
  element: RefObject<HTMLElement | null>,
  drawn: Drawn | null,
  onPick: ((at: number) => void) | undefined,
): void {
  const isAsked = onPick !== undefined;
  const tell = useEffectEvent((px: number) => {
    const at: unknown = drawn?.convertFromPixel({ xAxisIndex: 0 }, px);
    if (typeof at === 'number' && Number.isFinite(at)) onPick?.(at);
  });
  useEffect(() => {
    const target = element.current;
    if (!target || !isAsked) return undefined;
    const listener = ({ clientX }: MouseEvent) => tell(clientX - target.getBoundingClientRect().left);
    target.addEventListener('click', listener);
    return () => target.removeEventListener('click', listener);
  }, [element, isAsked]);
}
