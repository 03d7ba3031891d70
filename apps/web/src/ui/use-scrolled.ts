import { useEffect, useState } from 'react';

/**
 * Whether the page is scrolled further than `px`, a height that is asked for at each scroll. Nobody asks while the page is
 * drawn: the browser would have to lay it out at once.
 */
export function useScrolledBeyond(px: () => number): boolean {
  const [isBeyond, setIsBeyond] = useState(false);
  useEffect(() => {
    const look = () => setIsBeyond(scrollY > px());
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [px]);
  return isBeyond;
}
