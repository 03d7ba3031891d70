import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, errorText } from '../../api/client.ts';
import { session, signIn, signOut } from '../../api/session.ts';
import { toast } from '../../ui/toasts.ts';
import { notificationsQuery } from '../notifications/notifications.queries.ts';
import { EntryFrame } from './entry-frame.tsx';
import classes from './entry.module.css';

const REFUSED_TEXT = "This link doesn't work: it may have been used, or is older than 24 hours.";

/** `/login/{key}`: signs in with a mailed key. However it ends, it goes home. */
export function PasswordlessPage() {
  const { key } = useParams({ from: '/login/$key' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(() => {
    // The page is put up anew when the session before it ends; the key is tried once.
    void tryOnce(key, queryClient).then(() => navigate({ to: '/', replace: true }));
  }, [key, navigate, queryClient]);
  return (
    <EntryFrame>
      <p className={classes.text} role="status">
        Signing you in…
      </p>
    </EntryFrame>
  );
}

const tries = new Map<string, Promise<void>>();

function tryOnce(key: string, queryClient: QueryClient): Promise<void> {
  const known = tries.get(key);
  if (known) return known;
  const made = signInByKey(key, queryClient).finally(() => tries.delete(key));
  tries.set(key, made);
  return made;
}

async function signInByKey(key: string, queryClient: QueryClient): Promise<void> {
  await leaveSession();
  try {
    const { success, data } = await call('POST /account/auth/passwordless', { body: { key } });
    if (!success || !data) return void toast.error(REFUSED_TEXT);
    toast.close('session-ended');
    signIn(data);
    // By which ways this person hears is asked for, not taken from the person before.
    if (!data.mustChangePassword) void queryClient.prefetchQuery(notificationsQuery);
  } catch (error) {
    toast.error(errorText(error));
  }
}

/** Whoever was signed in here is signed out first, on the server as well where it can be reached. */
async function leaveSession(): Promise<void> {
  if (!session().logged) return;
  await call('POST /account/logout').catch(() => undefined);
  signOut('replaced');
}
