import { useCallback } from 'react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Period } from '../../time-range/period.ts';

/** What of an open sprinkler dialog stands in the address. */
export interface SprinklerDialogSearch {
  ipc?: string | undefined;
  tab?: string | undefined;
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** What the history lists; all unless it is said. */
  kind?: string | undefined;
}

const NO_TAB = { tab: undefined, period: undefined, from: undefined, to: undefined, kind: undefined };

/** For `<Link to="." search={...}>`: the same page with a sprinkler's dialog open. */
export function openSprinkler(ipc: string) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, ...NO_TAB, ipc })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

/** The dialog's part of the address. Within the dialog it is replaced, so that Back closes the dialog. */
export function useSprinklerDialog() {
  const search = useSearch({ strict: false }) as SprinklerDialogSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const patch = useCallback(
    (change: SprinklerDialogSearch) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, ...change })) as never,
        replace: true,
        resetScroll: false,
        state: true,
      }),
    [navigate],
  );
  const close = useCallback(() => {
    if (router.state.location.state.opened) router.history.back();
    else patch({ ...NO_TAB, ipc: undefined });
  }, [router, patch]);
  /** Another unit on the same tab: who compares batteries goes on comparing them. */
  const go = useCallback((ipc: string) => patch({ ipc }), [patch]);
  return { search, patch, close, go };
}
