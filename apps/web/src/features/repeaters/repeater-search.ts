import type { Period } from '../../time-range/period.ts';
import { dialogLink, useDialogAddress } from '../../ui/dialog-address.ts';

/** What of an open repeater dialog stands in the address. */
export interface RepeaterDialogSearch {
  repeater?: string | undefined;
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const CLOSED: RepeaterDialogSearch = {
  repeater: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
};

/** For a link: the same page with a repeater's dialog open. */
export const openRepeater = (repeater: string) => dialogLink({ ...CLOSED, repeater });

export const useRepeaterDialog = () => useDialogAddress(CLOSED);
