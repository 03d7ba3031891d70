import { useCallback } from 'react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opened from the page below, as a dialog or a form: closing it goes back there. */
    opened?: boolean;
  }
}

/** For `<Link {...}>`: the same page with a dialog open that has `search` in the address. */
export const dialogLink = (search: object) =>
  ({
    to: '.',
    search: ((before: object) => ({ ...before, ...search })) as never,
    state: { opened: true },
    resetScroll: false,
  }) as const;

/**
 * A dialog's part of the address; `closed`: how that is when it is closed, which must be the same object each time. Within the dialog the
 * address is replaced, so that Back closes the dialog. `hasAsked`: who closes it was asked already whether unsent edits may be lost.
 */
export function useDialogAddress<S extends object>(closed: S, { hasAsked = false } = {}) {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const { history } = useRouter();
  const replace = useCallback(
    (change: Partial<S>, ignoreBlocker: boolean) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, ...change })) as never,
        replace: true,
        resetScroll: false,
        state: true,
        ignoreBlocker,
      }),
    [navigate],
  );
  const patch = useCallback((change: Partial<S>) => replace(change, false), [replace]);
  const close = useCallback(() => {
    // What was pushed a moment ago counts, though the page hasn't followed it yet.
    if (history.location.state.opened) history.back({ ignoreBlocker: hasAsked });
    else replace(closed, hasAsked);
  }, [history, replace, closed, hasAsked]);
  return { search: search as S, patch, close };
}
