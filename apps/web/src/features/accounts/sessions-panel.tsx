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
import { Skeleton } from '../../ui/skeleton.tsx';
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
            <ul className={classes.sessions}>
              {sessions.map((one) => (
                <SessionRow key={one.id} session={one} />
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

function SessionRow({ session }: { session: SignedInDevice }) {
  const { browser, address, signedInAt, lastUsedAt, isThis, id } = session;
  const { mutate, isPending } = useEnding(
    () => call('DELETE /account/session', { query: { id } }),
    `${browser} is signed out.`,
  );
  return (
    <li className={classes.session}>
      <div>
        <div className={classes.browser}>{browser}</div>
        <div className={classes.where}>
          {address} · <Age at={lastUsedAt}>last used</Age> · <Age at={signedInAt}>signed in</Age>
        </div>
      </div>
      {isThis ? (
        <span className={classes.here}>
          <ConditionDot condition="ok" label={null} /> This browser
        </span>
      ) : (
        <PlainButton onClick={() => mutate()} disabled={isPending}>
          Sign out<VisuallyHidden> {browser}</VisuallyHidden>
        </PlainButton>
      )}
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
