import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnAccount } from '@headrace/contract/account-details';
import { call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import { ownAccountQuery } from './account.queries.ts';
import classes from './account.module.css';

/** Whether the e-mail address is known to be the person's, and how it becomes so. */
export function AddressState({ account }: { account: OwnAccount }) {
  if (account.pendingEmail !== null) return <NewAddress account={account} to={account.pendingEmail} />;
  if (account.emailConfirmed)
    return (
      <div className={classes.notice} data-fine>
        <ConditionDot condition="ok" size={18} label={null} />
        <span>Your e-mail address is confirmed.</span>
      </div>
    );
  return (
    <div className={classes.notice}>
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        {account.email} isn't confirmed yet: follow the link that we mailed to it. Until then you can't be
        invited by this address.
      </span>
      <SendAgain to={account.email} />
    </div>
  );
}

function SendAgain({ to }: { to: string }) {
  const send = useMutation({
    mutationFn: () => call('POST /account/resend-confirmation'),
    onSuccess: () => toast.success(`The link is on its way to ${to}.`),
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <PlainButton onClick={() => send.mutate()} disabled={send.isPending}>
      {send.isPending ? 'Sending…' : 'Send the link again'}
    </PlainButton>
  );
}

/** An address that waits for its link to be followed, and the way to drop it. */
function NewAddress({ account, to }: { account: OwnAccount; to: string }) {
  const queryClient = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => call('DELETE /account/new-email'),
    onSuccess: (kept) => {
      queryClient.setQueryData(ownAccountQuery.queryKey, kept);
      toast.success('Your e-mail address stays as it is.');
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <div className={classes.notice} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        {to} isn't confirmed yet: follow the link that we mailed to it. Until then you sign in with{' '}
        {account.email}.
      </span>
      <SendAgain to={to} />
      <PlainButton onClick={() => withdraw.mutate()} disabled={withdraw.isPending}>
        Keep {account.email}
      </PlainButton>
    </div>
  );
}
