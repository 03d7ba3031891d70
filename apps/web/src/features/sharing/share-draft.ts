import { useSyncExternalStore } from 'react';
import type { Invite, ShareContact } from '@headrace/contract/sharing';
import { onSignOut } from '../../api/session.ts';
import { newRights, type RightsValues } from './rights-values.ts';

/** What was entered in the three steps so far. In memory alone: it may hold a password, and a reload begins anew. */
export interface ShareDraft {
  farms: readonly string[];
  isAccountShare: boolean;
  contacts: readonly ShareContact[];
  rights: RightsValues;
  /** What was sent; the steps are over. */
  sent: readonly Invite[] | null;
}

const nothing: ShareDraft = {
  farms: [],
  isAccountShare: false,
  contacts: [],
  rights: newRights,
  sent: null,
};

let draft = nothing;
const listeners = new Set<() => void>();

function change(next: ShareDraft): void {
  draft = next;
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

onSignOut(() => change(nothing));

export const useShareDraft = (): ShareDraft => useSyncExternalStore(subscribe, () => draft);

export const patchShareDraft = (patch: Partial<ShareDraft>): void => change({ ...draft, ...patch });

/** The steps begin anew; after sending, with what was sent still to be read. */
export const endShareDraft = (sent: readonly Invite[] | null = null): void => change({ ...nothing, sent });

export type ShareStep = 'select' | 'contacts' | 'permissions';

/** The step to enter first when `wanted` is opened; `wanted` itself when all before it is there. */
export function firstMissing(
  wanted: ShareStep,
  { farms, isAccountShare, contacts, sent }: ShareDraft = draft,
) {
  if (wanted === 'select') return wanted;
  if (sent) return 'permissions';
  if (farms.length === 0 && !isAccountShare) return 'select';
  return wanted === 'permissions' && contacts.length === 0 ? 'contacts' : wanted;
}
