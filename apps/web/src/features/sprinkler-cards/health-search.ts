import { useCallback } from 'react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Period } from '../../time-range/period.ts';

/** What of an open health history stands in the address. `health`: the number of what is counted; `day`: whose units are listed. */
export interface HealthSearch {
  health?: string | undefined;
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
  day?: string | undefined;
}

const CLOSED: HealthSearch = {
  health: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  day: undefined,
};

/** For a link: the same page with the history of what is counted under this number (`historyType`). */
export function openHealth(type: number) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, ...CLOSED, health: String(type) })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

/** The dialog's part of the address. Within the dialog it is replaced, so that Back closes the dialog. */
export function useHealthDialog() {
  const search = useSearch({ strict: false }) as HealthSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const patch = useCallback(
    (change: HealthSearch) =>
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
    else patch(CLOSED);
  }, [router, patch]);
  return { search, patch, close };
}
