import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Invite } from '@headrace/contract/sharing';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { renewAccess, renewShares } from './sharing.queries.ts';

type Act = 'resend' | 'accept' | 'reject';

/** The toasts to the letter. spec 1 §8 */
export const inviteToasts = {
  resend: ['Invite resent successfully!', "Couldn't resend the invite!"],
  revoke: ['Invite revoked successfully!', "Error, invite couldn't be revoked."],
  accept: ['Invite accepted successfully!', "Error, invite couldn't be accepted."],
  reject: ['Invite rejected successfully!', "Error, invite couldn't be rejected."],
} as const;

const calls: Record<Act, (key: string) => Promise<unknown>> = {
  resend: (key) => call('POST /resend-invite', { body: { key } }),
  accept: (key) => call('POST /accept-invite', { body: { key } }),
  reject: (key) => call('POST /reject-invite', { body: { key } }),
};

export interface InviteActions {
  run: (act: Act, invite: Invite) => void;
  /** The share that something is being done with. */
  busy: string | null;
  /** The last failure, in the server's words: the toast says only that it failed. */
  failure: { invite: Invite; text: string } | null;
}

/** What can be done with a row of the list at once; taking a share back asks first, in its dialog. */
export function useInviteActions(): InviteActions {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<InviteActions['failure']>(null);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ act, invite }: { act: Act; invite: Invite }) => calls[act](invite.key),
    onMutate: () => setFailure(null),
    onSuccess: async (_reply, { act }) => {
      toast.success(inviteToasts[act][0]);
      if (act === 'accept') await renewAccess(queryClient);
    },
    onError: (error, { act, invite }) => {
      toast.error(inviteToasts[act][1]);
      setFailure({ invite, text: errorText(error) });
    },
    onSettled: () => renewShares(queryClient),
  });
  return {
    run: (act, invite) => !isPending && mutate({ act, invite }),
    busy: isPending ? variables.invite.key : null,
    failure,
  };
}
