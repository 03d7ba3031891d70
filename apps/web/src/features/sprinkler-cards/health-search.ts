import type { Period } from '../../time-range/period.ts';
import { dialogLink, useDialogAddress } from '../../ui/dialog-address.ts';

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
export const openHealth = (type: number) => dialogLink({ ...CLOSED, health: String(type) });

export const useHealthDialog = () => useDialogAddress(CLOSED);
