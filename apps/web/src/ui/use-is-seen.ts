import { useEffect, useState, type RefObject } from 'react';

/** Whether it has been in sight, or within so many px below or above. Where the browser can't tell, it has. */
export function useIsSeen(element: RefObject<Element | null>, marginPx = 0): boolean {
  const [isSeen, setIsSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const target = element.current;
    if (!target || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsSeen(true),
      { rootMargin: `${marginPx}px 0px` },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, isSeen, marginPx]);
  return isSeen;
}
