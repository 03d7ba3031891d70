import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { NEW_PASSWORD_TEXT } from '@headrace/contract/texts';
import { call } from '../../api/client.ts';
import { signOut } from '../../api/session.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSession } from '../../session/use-session.ts';
import { ownAccountQuery } from './account.queries.ts';
import { EntryFrame } from './entry-frame.tsx';
import { EntryForm } from './entry-form.tsx';
import { FirstPassword } from './first-password.tsx';
import { PasswordForm, PasswordFields, usePasswordForm } from './password-form.tsx';
import { safeRedirect } from './redirect.ts';
import { SecondStepPanel } from './second-step-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const TITLE = 'Password & Security';

/** `/security`. Whoever got the password from somebody else sees nothing else until it is changed. */
export function SecurityPage() {
  const { mustChangePassword } = useSession();
  const query = useQuery(ownAccountQuery);
  const [changes, setChanges] = useState(0);
  if (mustChangePassword) return <OwnPasswordFirst />;
  return (
    <>
      <TitleBar title={TITLE} subtitle={query.data?.email} back="/" />
      <StateView
        query={query}
        failed="Your account couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={180} />}
      >
        {(account) =>
          account.hasPassword ? (
            <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
          ) : (
            <FirstPassword email={account.email} />
          )
        }
      </StateView>
      <SecondStepPanel />
      <SessionsPanel />
    </>
  );
}

function OwnPasswordFirst() {
  const navigate = useNavigate();
  const { redirect } = useSearch({ from: '/security' });
  const form = usePasswordForm(() => navigate({ href: safeRedirect(redirect) ?? '/', replace: true }));
  const leave = () => {
    const goodbye = call('POST /account/logout').catch(() => undefined);
    signOut('asked');
    void goodbye;
  };
  return (
    <EntryFrame>
      <EntryForm
        form={form}
        title={TITLE}
        text={NEW_PASSWORD_TEXT}
        submit="Change password"
        busy="Changing…"
        links={<PlainButton onClick={leave}>Sign Out</PlainButton>}
      >
        <PasswordFields form={form} />
      </EntryForm>
    </EntryFrame>
  );
}
