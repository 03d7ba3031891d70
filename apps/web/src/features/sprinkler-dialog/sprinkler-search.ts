import { useCallback } from 'react';
import type { Period } from '../../time-range/period.ts';
import { dialogLink, useDialogAddress } from '../../ui/dialog-address.ts';

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

const CLOSED: SprinklerDialogSearch = {
  ipc: undefined,
  tab: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  kind: undefined,
};

/** For a link: the same page with a sprinkler's dialog open. */
export const openSprinkler = (ipc: string) => dialogLink({ ...CLOSED, ipc });

export function useSprinklerDialog() {
  const dialog = useDialogAddress(CLOSED);
  const { patch } = dialog;
  /** Another unit on the same tab: who compares batteries goes on comparing them. */
  const go = useCallback((ipc: string) => patch({ ipc }), [patch]);
  return { ...dialog, go };
}
