import { useEffect, useState } from 'react';

/** Whether so many ms have passed since it was asked first. */
export function useIsOver(afterMs: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setIsOver, afterMs, true);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isOver;
}
