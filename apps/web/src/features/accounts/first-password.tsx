import { useMutation } from '@tanstack/react-query';
import { call, errorText } from '../../api/client.ts';
import { signOut } from '../../api/session.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './account.module.css';

/** For an account without a password: it gets one by mail alone, and the link opens for nobody who is signed in. */
export function FirstPassword({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: async () => {
      await call('POST /account/forgot-password', { body: { email } });
      await call('POST /account/logout').catch(() => undefined);
    },
    onSuccess: () => {
      signOut('asked');
      toast.success(`The link is on its way to ${email}.`);
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <section className={classes.panel}>
      <h2>Set a password</h2>
      <p>Your account has no password. We mail a link to {email}, with which you set one.</p>
      <PlainButton onClick={() => send.mutate()} disabled={send.isPending}>
        {send.isPending ? 'Sending…' : 'Mail me a link and sign out'}
      </PlainButton>
    </section>
  );
}
