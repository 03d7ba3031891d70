import { type RefObject, useEffect, useRef, useState } from 'react';

/** Less than that out of sight is rounding, px. */
const ROUNDING = 2;

/** Of a box that is scrolled sideways: whether what is in it is wider than it, and whether that goes on to the right of what is seen. */
export function useSideways(): {
  ref: RefObject<HTMLElement | null>;
  isWider: boolean;
  goesOn: boolean;
} {
  const ref = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState({ isWider: false, goesOn: false });
  useEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    const look = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      setSeen({ isWider: hidden > ROUNDING, goesOn: hidden - box.scrollLeft > ROUNDING });
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, []);
  return { ref, ...seen };
}
