import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { EntryNote } from './entry-note.tsx';
import { emailFault } from './login-rules.ts';

const TITLE = 'Forgot your password?';
const toLogin = <Link to="/login">Go back to Login</Link>;

/** `/forgot-password`. It says the same for addresses that have an account and those that haven't. */
export function ForgotPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <EntryFrame>
      {sentTo === null ? (
        <ForgotForm onSent={setSentTo} />
      ) : (
        <EntryNote
          title={TITLE}
          isDone
          text={`If ${sentTo} has an account, a link to set a new password is on its way. It works once, for one hour.`}
          links={toLogin}
        />
      )}
    </EntryFrame>
  );
}

function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useRecordForm({
    draftKey: null,
    initial: { email: '' },
    validate: ({ email }) => {
      const fault = emailFault(email);
      return fault ? { email: fault } : {};
    },
    save: async ({ email }) => {
      await call('POST /account/forgot-password', { body: { email: email.trim() } });
      return email.trim();
    },
    onSaved: onSent,
  });
  return (
    <EntryForm
      form={form}
      title={TITLE}
      text="We mail you a link to set a new one."
      submit="Send the link"
      busy="Sending…"
      links={toLogin}
    >
      <TextField
        {...form.field('email')}
        label="E-mail"
        required
        inputMode="email"
        autoComplete="username"
        maxLength={254}
      />
    </EntryForm>
  );
}
