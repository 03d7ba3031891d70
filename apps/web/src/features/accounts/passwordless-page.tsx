import { useEffect, useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { LoginReply, SecondStepAsked } from '@headrace/contract/accounts';
import { call, errorText } from '../../api/client.ts';
import { signOut } from '../../api/session.ts';
import { toast } from '../../ui/toasts.ts';
import { notificationsQuery } from '../notifications/notifications.queries.ts';
import { EntryFrame } from './entry-frame.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { enterWith } from './sign-in.ts';
import classes from './entry.module.css';

const REFUSED_TEXT = "This link doesn't work: it may have been used, or is older than 24 hours.";

/** `/login/{key}`: signs in with a mailed key. However it ends, it goes home. */
export function PasswordlessPage() {
  const { key } = useParams({ from: '/login/$key' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<SecondStepAsked | null>(null);
  useEffect(() => {
    // The page may be put up anew while it waits; the key is tried once.
    void tryOnce(key, queryClient).then((step) =>
      step ? setAsked(step) : navigate({ to: '/', replace: true }),
    );
  }, [key, navigate, queryClient]);
  const home = () => void navigate({ to: '/', replace: true });
  if (asked)
    return (
      <EntryFrame>
        <SecondStepForm
          asked={asked}
          onSignedIn={(reply) => {
            enter(reply, queryClient);
            home();
          }}
          onOver={(text) => {
            if (text) toast.error(text);
            home();
          }}
        />
      </EntryFrame>
    );
  return (
    <EntryFrame>
      <p className={classes.text} role="status">
        Signing you in…
      </p>
    </EntryFrame>
  );
}

type Tried = Promise<SecondStepAsked | undefined>;
const tries = new Map<string, Tried>();

function tryOnce(key: string, queryClient: QueryClient): Tried {
  const known = tries.get(key);
  if (known) return known;
  const made = signInByKey(key, queryClient).finally(() => tries.delete(key));
  tries.set(key, made);
  return made;
}

/** What is asked for besides the key. */
async function signInByKey(key: string, queryClient: QueryClient): Tried {
  try {
    const { success, data, secondStep } = await call('POST /account/auth/passwordless', { body: { key } });
    if (data) enter(data, queryClient);
    else if (!success || !secondStep) toast.error(REFUSED_TEXT);
    return secondStep;
  } catch (error) {
    toast.error(errorText(error));
    return undefined;
  }
}

/**
 * Whoever was signed in here is so until the key has opened another session: the server ends theirs with it. A key that is used up, or a
 * server out of reach, takes nobody's session.
 */
function enter(reply: LoginReply, queryClient: QueryClient): void {
  signOut('replaced');
  enterWith(reply);
  // By which ways this person hears is asked for, not taken from the person before.
  if (!reply.mustChangePassword) void queryClient.prefetchQuery(notificationsQuery);
}
