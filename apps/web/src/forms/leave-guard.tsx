import { useCallback, useEffect, useRef } from 'react';
import { useBlocker } from '@tanstack/react-router';

/** Asks before another page is opened, and has the browser ask before the tab is closed, while something is unsaved. */
export function useLeaveGuard(isUnsaved: () => boolean): { stay: () => void; proceed: () => void } | null {
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  const blocker = useBlocker({
    // A dialog or a tab in the address of the same page isn't leaving.
    shouldBlockFn: useCallback(
      ({ current, next }) => current.pathname !== next.pathname && latest.current(),
      [],
    ),
    enableBeforeUnload: useCallback(() => latest.current(), []),
    withResolver: true,
  });
  return blocker.status === 'blocked' ? { stay: blocker.reset, proceed: blocker.proceed } : null;
}
