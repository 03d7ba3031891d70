import { useMutation } from '@tanstack/react-query';
import type { OwnAccount } from '@headrace/contract/account-details';
import { call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './account.module.css';

/** Whether the e-mail address is known to be the person's, and how it becomes so. */
export function AddressState({ account }: { account: OwnAccount }) {
  const send = useMutation({
    mutationFn: () => call('POST /account/resend-confirmation'),
    onSuccess: () => toast.success(`The link is on its way to ${account.email}.`),
    onError: (error) => toast.error(errorText(error)),
  });
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
      <PlainButton onClick={() => send.mutate()} disabled={send.isPending}>
        {send.isPending ? 'Sending…' : 'Send the link again'}
      </PlainButton>
    </div>
  );
}
