import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../api/client.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useSession } from '../../session/use-session.ts';
import { ownAccountQuery } from './account.queries.ts';
import { EntryFrame } from './entry-frame.tsx';
import { EntryNote } from './entry-note.tsx';
import classes from './entry.module.css';

const TITLE = 'Confirm your e-mail address';

/** A key works once: asked once, and its answer is kept. */
const confirmationQuery = (key: string) =>
  queryOptions({
    queryKey: ['confirm-email', key],
    queryFn: async () => (await call('POST /account/confirm-email', { body: { key } })).success,
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: false,
  });

/** `/confirm-email?key=`, as it is mailed; signed in or not. */
export function ConfirmPage() {
  const { key } = useSearch({ from: '/confirm-email' });
  return (
    <EntryFrame>
      {key === undefined ? <Outcome isConfirmed={false} /> : <Confirmation linkKey={key} />}
    </EntryFrame>
  );
}

function Confirmation({ linkKey }: { linkKey: string }) {
  const query = useQuery(confirmationQuery(linkKey));
  const queryClient = useQueryClient();
  useEffect(() => {
    if (query.data) void queryClient.invalidateQueries({ queryKey: ownAccountQuery.queryKey });
  }, [query.data, queryClient]);
  return (
    <StateView
      query={query}
      failed="The address couldn't be confirmed"
      skeleton={<p className={classes.text}>Confirming your e-mail address…</p>}
    >
      {(isConfirmed) => <Outcome isConfirmed={isConfirmed} />}
    </StateView>
  );
}

function Outcome({ isConfirmed }: { isConfirmed: boolean }) {
  const { logged } = useSession();
  const wayOn = logged ? <Link to="/">Go to the home page</Link> : <Link to="/login">Sign in</Link>;
  const again = logged ? (
    <Link to="/account-details">Send me a new link</Link>
  ) : (
    <Link to="/login">Sign in</Link>
  );
  return (
    <EntryNote
      title={TITLE}
      isDone={isConfirmed}
      text={
        isConfirmed
          ? 'Thank you: your e-mail address is confirmed.'
          : "This link doesn't work: it may have been used, or is older than 7 days. Account Details says whether the address is confirmed, and sends a new link."
      }
      links={isConfirmed ? wayOn : again}
    />
  );
}
