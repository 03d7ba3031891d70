import { VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInDevice } from '@headrace/contract/account-details';
import { call, errorText } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { sessionsQuery } from './account.queries.ts';
import { type Browser, byBrowser } from './devices.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaySignedIn } from './stay-signed-in.tsx';
import classes from './account.module.css';

/** Where the account is signed in, and signing out there. */
export function SessionsPanel() {
  const query = useQuery(sessionsQuery);
  const { mutate: endOthers, isPending } = useEnding(
    () => call('DELETE /account/sessions'),
    'All other browsers are signed out.',
  );
  return (
    <section className={classes.panel} aria-labelledby="sessions">
      <h2 id="sessions">Signed-in devices</h2>
      <StateView
        query={query}
        failed="The devices couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={180} />}
      >
        {(sessions) => (
          <>
            <StaySignedIn here={sessions.find(({ isThis }) => isThis)} />
            <ul className={classes.sessions}>
              {byBrowser(sessions).map((one) => (
                <BrowserRow key={one.device} browser={one} />
              ))}
            </ul>
            {sessions.some(({ isThis }) => !isThis) ? (
              <PlainButton onClick={() => endOthers()} disabled={isPending}>
                Sign out everywhere but here
              </PlainButton>
            ) : (
              <p>You are signed in nowhere else.</p>
            )}
          </>
        )}
      </StateView>
    </section>
  );
}

function BrowserRow({ browser }: { browser: Browser }) {
  const { device, newest, all, isThis, hasPush } = browser;
  const older = all.filter((one) => !one.isThis);
  const { mutate, isPending } = useEnding(
    () => call('DELETE /account/device', { query: { id: device } }),
    isThis ? 'The older sign-ins have ended.' : `${newest.browser} is signed out.`,
  );
  return (
    <li className={classes.session}>
      <div>
        <div className={classes.browser}>{newest.browser}</div>
        <Where session={newest} />
        {hasPush && <div className={classes.where}>Gets alerts; they end when it is signed out</div>}
      </div>
      {isThis && (
        <span className={classes.here}>
          <ConditionDot condition="ok" label={null} /> This browser
        </span>
      )}
      {!isThis && (
        <PlainButton onClick={() => mutate()} disabled={isPending}>
          Sign out<VisuallyHidden> {newest.browser}</VisuallyHidden>
        </PlainButton>
      )}
      {all.length > 1 && (
        <details className={classes.signIns}>
          <summary>{all.length} sign-ins of this browser</summary>
          <ul>
            {older.map((one) => (
              <SignInRow key={one.id} session={one} />
            ))}
          </ul>
          {isThis && older.length > 1 && (
            <PlainButton onClick={() => mutate()} disabled={isPending}>
              End all older sign-ins of this browser
            </PlainButton>
          )}
        </details>
      )}
    </li>
  );
}

function Where({ session }: { session: SignedInDevice }) {
  return (
    <div className={classes.where}>
      {session.address} · <Age at={session.lastUsedAt}>last used</Age> ·{' '}
      <Age at={session.signedInAt}>signed in</Age>
    </div>
  );
}

function SignInRow({ session }: { session: SignedInDevice }) {
  const { mutate, isPending } = useEnding(
    () => call('DELETE /account/session', { query: { id: session.id } }),
    'This sign-in has ended.',
  );
  return (
    <li className={classes.signIn}>
      <Where session={session} />
      <PlainButton onClick={() => mutate()} disabled={isPending}>
        End<VisuallyHidden> the sign-in of {session.browser}</VisuallyHidden>
      </PlainButton>
    </li>
  );
}

function useEnding(end: () => Promise<unknown>, done: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
