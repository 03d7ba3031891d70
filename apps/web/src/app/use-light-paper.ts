import { useLayoutEffect } from 'react';
import { usePrinted } from '../ui/use-printed.ts';

const SCHEME = 'data-mantine-color-scheme';

/** Paper is white, whatever the screen is: a dark page would cost its weight in ink. What the person chose isn't touched. */
export function useLightPaper(): void {
  const isPrinted = usePrinted();
  useLayoutEffect(() => {
    const root = document.documentElement;
    const onScreen = root.getAttribute(SCHEME);
    if (!isPrinted || !onScreen) return undefined;
    root.setAttribute(SCHEME, 'light');
    return () => root.setAttribute(SCHEME, onScreen);
  }, [isPrinted]);
}
