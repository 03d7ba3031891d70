import { useCallback, useEffect, useRef } from 'react';
import { useBlocker } from '@tanstack/react-router';

interface Place {
  pathname: string;
  search: object;
}
type IsLeaving = (current: Place, next: Place) => boolean;

/** A dialog or a tab in the address of the same page isn't leaving. */
const leavesPage: IsLeaving = (current, next) => current.pathname !== next.pathname;

/**
 * Asks before another page is opened, and has the browser ask before the tab is closed, while something is unsaved.
 * `isLeaving`, which must not change between renders: for what is edited in a dialog of the address.
 */
export function useLeaveGuard(
  isUnsaved: () => boolean,
  isLeaving: IsLeaving = leavesPage,
): { stay: () => void; proceed: () => void } | null {
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }: { current: Place; next: Place }) => isLeaving(current, next) && latest.current(),
      [isLeaving],
    ),
    enableBeforeUnload: useCallback(() => latest.current(), []),
    withResolver: true,
  });
  return blocker.status === 'blocked' ? { stay: blocker.reset, proceed: blocker.proceed } : null;
}
