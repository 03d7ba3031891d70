import type { Invite } from '@headrace/contract/sharing';
import type { Condition } from '../../ui/tokens.ts';

export type InviteState = 'pending' | 'accepted' | 'rejected' | 'ended';

export const stateLabel: Record<InviteState, string> = {
  pending: 'Awaiting response',
  accepted: 'Accepted',
  rejected: 'Rejected',
  ended: 'Ended',
};
export const stateConditions: Record<InviteState, Condition> = {
  pending: 'caution',
  accepted: 'ok',
  rejected: 'issue',
  ended: 'inhibited',
};

/** `now` in epoch ms. */
export function stateOf({ accepted, rejected, endsAt }: Invite, now: number): InviteState {
  if (rejected) return 'rejected';
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  return accepted ? 'accepted' : 'pending';
}

/** Whom a share is with, as its owner sees it. */
export const personOf = ({ agentName, email }: Pick<Invite, 'agentName' | 'email'>): string =>
  agentName || email;

export const WHOLE_ACCOUNT = 'Whole account';
export const placeOf = ({ isAccountShare, farmName }: Pick<Invite, 'isAccountShare' | 'farmName'>): string =>
  isAccountShare ? WHOLE_ACCOUNT : farmName;

/** Why sharing is off while the subscription is over. */
export const SUSPENDED_SHARING = 'Account Suspended: sharing is off until the subscription is renewed.';
