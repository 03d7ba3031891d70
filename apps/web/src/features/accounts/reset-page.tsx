import { useState } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { validateNewPassword } from '@headrace/contract/rules/account-form';
import { RESET_LINK_TEXT } from '@headrace/contract/texts';
import { ApiError, call, type CallOptions } from '../../api/client.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { EntryNote } from './entry-note.tsx';
import { PasswordField } from './password-field.tsx';

const TITLE = 'Set a new password';

/** `/reset-password?key=`, as it is mailed. */
export function ResetPage() {
  const { key } = useSearch({ from: '/reset-password' });
  const [isRefused, setIsRefused] = useState(false);
  return (
    <EntryFrame>
      {key === undefined || isRefused ? (
        <EntryNote
          title={TITLE}
          isDone={false}
          text={RESET_LINK_TEXT}
          links={<Link to="/forgot-password">Send me a new link</Link>}
        />
      ) : (
        <ResetForm linkKey={key} onRefused={() => setIsRefused(true)} />
      )}
    </EntryFrame>
  );
}

function ResetForm({ linkKey, onRefused }: { linkKey: string; onRefused: () => void }) {
  const navigate = useNavigate();
  const form = useRecordForm({
    draftKey: null,
    initial: { password: '', passwordConfirmation: '' },
    validate: validateNewPassword,
    save: (values) => reset({ key: linkKey, ...values }),
    onSaved: (isDone) => {
      if (!isDone) return onRefused();
      toast.success('Your password is changed. Please sign in with it.');
      void navigate({ to: '/login' });
    },
  });
  return (
    <EntryForm
      form={form}
      title={TITLE}
      text="You are signed out wherever you are signed in."
      submit="Set password"
      busy="Setting…"
    >
      <PasswordField
        {...form.field('password')}
        label="New password"
        autoComplete="new-password"
        isMeasured
      />
      <PasswordField
        {...form.field('passwordConfirmation')}
        label="Confirm password"
        autoComplete="new-password"
      />
    </EntryForm>
  );
}

/** False: the link's key is wrong, used or old. What else fails is the form's to tell. */
async function reset(body: CallOptions<'POST /account/reset-password'>['body']): Promise<boolean> {
  try {
    await call('POST /account/reset-password', { body });
    return true;
  } catch (fault) {
    if (fault instanceof ApiError && fault.field === 'key') return false;
    throw fault;
  }
}
