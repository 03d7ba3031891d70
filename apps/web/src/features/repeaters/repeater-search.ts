import { useCallback } from 'react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Period } from '../../time-range/period.ts';

/** What of an open repeater dialog stands in the address. */
export interface RepeaterDialogSearch {
  repeater?: string | undefined;
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const NO_DAYS = { period: undefined, from: undefined, to: undefined };

/** For `<Link to="." search={...}>`: the same page with a repeater's dialog open. */
export function openRepeater(repeater: string) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, ...NO_DAYS, repeater })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

/** The dialog's part of the address. Within the dialog it is replaced, so that Back closes the dialog. */
export function useRepeaterDialog() {
  const search = useSearch({ strict: false }) as RepeaterDialogSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const patch = useCallback(
    (change: RepeaterDialogSearch) =>
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
    else patch({ ...NO_DAYS, repeater: undefined });
  }, [router, patch]);
  return { search, patch, close };
}
