import { useQueryClient } from '@tanstack/react-query';
import type { Invite } from '@headrace/contract/sharing';
import { call } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { personOf } from './invite-labels.ts';
import { renewAccess, renewShares } from './sharing.queries.ts';
import { inviteToasts } from './use-invite-actions.ts';

export interface RevokeDialogProps {
  invite: Invite;
  /** The person to whom it was given ends it, not the owner. */
  isAgent: boolean;
  onClose: () => void;
}

/** Ends a share or takes an invitation back, from either side. */
export function RevokeDialog({ invite, isAgent, onClose }: RevokeDialogProps) {
  const queryClient = useQueryClient();
  const onDone = async () => {
    toast.success(inviteToasts.revoke[0]);
    await Promise.all([renewShares(queryClient), isAgent && renewAccess(queryClient)]);
  };
  return (
    <ConfirmDialog
      title={isAgent ? 'Give this access up?' : 'Revoke this access?'}
      confirm={isAgent ? 'Give up' : 'Revoke'}
      doing={isAgent ? 'Giving up…' : 'Revoking…'}
      isFinal
      failed={inviteToasts.revoke[1]}
      run={() => call('POST /revoke-invite', { body: { key: invite.key } })}
      onDone={() => void onDone()}
      onClose={onClose}
    >
      {isAgent ? whatEndsForMe(invite) : whatEnds(invite)}
    </ConfirmDialog>
  );
}

const whatEnds = (invite: Invite) =>
  invite.accepted
    ? `${personOf(invite)} can no longer open ${invite.isAccountShare ? 'any of your farms' : invite.farmName}, from now on.`
    : `The link that was mailed to ${invite.email} no longer works.`;

const whatEndsForMe = ({ accepted, isAccountShare, farmName, farmerName }: Invite) =>
  accepted
    ? `You can no longer open ${isAccountShare ? `the farms of ${farmerName}` : farmName}. Only ${farmerName} can invite you again.`
    : 'The invitation is taken off your list.';
