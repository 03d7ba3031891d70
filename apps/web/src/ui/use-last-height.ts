import { type RefObject, useEffect, useMemo, useRef } from 'react';

/** Heights in px by the width of the window, the newest last: a phone is held in two ways. */
type Heights = readonly (readonly [width: number, height: number])[];
const KEPT = 4;

/**
 * Keeps a place as high as it was when it was last whole, so that nothing below it jumps while its parts come one by one.
 * `minHeight` in px: undefined once it is whole, and where it was never seen in a window of this width, which `isFirst` says.
 */
export function useLastHeight(
  name: string,
  isWhole: boolean,
): { ref: RefObject<HTMLDivElement | null>; minHeight: number | undefined; isFirst: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const key = `headrace.height.${name}`;
  const last = useMemo(() => heightIn(key), [key]);
  useEffect(() => {
    if (!isWhole || !ref.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const [box] = entry?.borderBoxSize ?? [];
      if (box) keep(key, Math.round(box.blockSize));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [key, isWhole]);
  return { ref, minHeight: isWhole ? undefined : last, isFirst: last === undefined };
}

const heightIn = (key: string): number | undefined =>
  heightsOf(key).find(([width]) => width === globalThis.innerWidth)?.[1];

function heightsOf(key: string): Heights {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? (kept as Heights) : [];
  } catch {
    // Storage refused, or not ours.
    return [];
  }
}

function keep(key: string, height: number): void {
  const others = heightsOf(key).filter(([width]) => width !== globalThis.innerWidth);
  try {
    localStorage.setItem(key, JSON.stringify([...others, [globalThis.innerWidth, height]].slice(-KEPT)));
  } catch {
    // Storage refused or full: the place grows as its parts come.
  }
}
