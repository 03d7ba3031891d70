import { useEffect, useRef, type RefObject } from 'react';

/** For what has the focus once it appears, and only then. */
export function useFocusAtFirst(hasFocus: boolean): RefObject<HTMLButtonElement | null> {
  const element = useRef<HTMLButtonElement>(null);
  const isFirst = useRef(hasFocus);
  useEffect(() => {
    if (isFirst.current) element.current?.focus();
    isFirst.current = false;
  }, []);
  return element;
}
