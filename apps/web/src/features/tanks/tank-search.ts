import { useCallback } from 'react';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Period } from '../../time-range/period.ts';

/** What of an open tank dialog stands in the address. */
export interface TankDialogSearch {
  tank?: string | undefined;
  tab?: string | undefined;
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const CLOSED: TankDialogSearch = {
  tank: undefined,
  tab: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
};

export const tankTabs = ['details', 'usage', 'level', 'battery', 'flow', 'pump'] as const;
export type TankTab = (typeof tankTabs)[number];

/** For `<Link to="." search={...}>`: the same page with a tank's dialog open on a tab. */
export function openTank(tank: string, tab?: TankTab) {
  return {
    to: '.',
    search: ((before: object) => ({
      ...before,
      ...CLOSED,
      tank,
      tab: tab === 'details' ? undefined : tab,
    })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

/** The dialog's part of the address. Within the dialog it is replaced, so that Back closes the dialog. */
export function useTankDialog() {
  const search = useSearch({ strict: false }) as TankDialogSearch & { a?: string };
  const navigate = useNavigate();
  const router = useRouter();
  const change = useCallback(
    (change: TankDialogSearch, ignoreBlocker: boolean) =>
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
  const patch = useCallback((next: TankDialogSearch) => change(next, false), [change]);
  // Who closes the dialog has been asked already whether unsent edits may be lost.
  const close = useCallback(() => {
    if (router.state.location.state.opened) router.history.back({ ignoreBlocker: true });
    else change(CLOSED, true);
  }, [router, change]);
  return { search, patch, close };
}

/** Another page, or this one with another tank's dialog or none: another tab of the same dialog isn't leaving it. */
export function leavesTank(
  current: { pathname: string; search: TankDialogSearch },
  next: { pathname: string; search: TankDialogSearch },
): boolean {
  return current.pathname !== next.pathname || current.search.tank !== next.search.tank;
}
