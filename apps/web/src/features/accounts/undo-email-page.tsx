import { useState } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { session, signOut } from '../../api/session.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { EntryNote } from './entry-note.tsx';

const TITLE = 'Keep your account';

/** `/undo-email?key=`, as it is mailed when an address is changed or a way of signing in is added. A button: programs that look at mails follow links. */
export function UndoEmailPage() {
  const { key } = useSearch({ from: '/undo-email' });
  const [isRefused, setIsRefused] = useState(false);
  return (
    <EntryFrame>
      {key === undefined || isRefused ? (
        <EntryNote
          title={TITLE}
          isDone={false}
          text="This link doesn't work: it may have been used, or is older than 7 days. If you can't sign in, tell whoever runs this installation."
          links={<Link to="/login">Go to Login</Link>}
        />
      ) : (
        <UndoForm linkKey={key} onRefused={() => setIsRefused(true)} />
      )}
    </EntryFrame>
  );
}

function UndoForm({ linkKey, onRefused }: { linkKey: string; onRefused: () => void }) {
  const navigate = useNavigate();
  const form = useRecordForm({
    draftKey: null,
    initial: {},
    validate: () => ({}),
    save: () => call('POST /account/undo-email', { body: { key: linkKey } }),
    onSaved: ({ success, email, resetKey }) => {
      if (!success) return onRefused();
      if (session().logged) signOut('replaced');
      toast.success(`${email} is the address of your account.`);
      void navigate({ to: '/reset-password', search: { key: resetKey }, replace: true });
    },
  });
  return (
    <EntryForm
      form={form}
      title={TITLE}
      text="Did somebody else ask for another e-mail address for your account, or add a way of signing in? Then keep this address: everybody is signed out, the password and what was added since that mail end, and you choose a new password next."
      submit="It was not me"
      busy="One moment…"
      links={<Link to="/">It was me: change nothing</Link>}
    >
      {null}
    </EntryForm>
  );
}
