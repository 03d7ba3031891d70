import type { Period } from '../../time-range/period.ts';
import { dialogLink, useDialogAddress } from '../../ui/dialog-address.ts';

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

/** For a link: the same page with a tank's dialog open on a tab. */
export const openTank = (tank: string, tab?: TankTab) =>
  dialogLink({ ...CLOSED, tank, tab: tab === 'details' ? undefined : tab });

export const useTankDialog = () =>
  useDialogAddress<TankDialogSearch & { a?: string }>(CLOSED, { hasAsked: true });

/** Another page, or this one with another tank's dialog or none: another tab of the same dialog isn't leaving it. */
export function leavesTank(
  current: { pathname: string; search: TankDialogSearch },
  next: { pathname: string; search: TankDialogSearch },
): boolean {
  return current.pathname !== next.pathname || current.search.tank !== next.search.tank;
}
