import { useQueryClient } from '@tanstack/react-query';
import { validateNewPassword } from '@headrace/contract/rules/account-form';
import { required } from '@headrace/contract/rules/form-rules';
import { call } from '../../api/client.ts';
import { resumeSession, session } from '../../api/session.ts';
import { FormSection } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm, type FieldErrors, type RecordForm as Form } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { ownAccountQuery, sessionsQuery } from './account.queries.ts';
import { PasswordField } from './password-field.tsx';

interface PasswordValues {
  currPwd: string;
  newPwd: string;
  passwordConfirmation: string;
}
const nothing: PasswordValues = { currPwd: '', newPwd: '', passwordConfirmation: '' };

function validate(values: PasswordValues): FieldErrors {
  const { password, passwordConfirmation } = validateNewPassword({ ...values, password: values.newPwd });
  const currPwd = required('Current password')(values.currPwd);
  return {
    ...(currPwd && { currPwd }),
    ...(password && { newPwd: password }),
    ...(passwordConfirmation && { passwordConfirmation }),
  };
}

/** A new password: everybody else who uses the account is signed out, and this browser goes on. */
export function usePasswordForm(onDone: () => unknown): Form<PasswordValues> {
  const queryClient = useQueryClient();
  return useRecordForm({
    draftKey: null,
    initial: nothing,
    validate,
    save: async ({ currPwd, newPwd }) => {
      const before = session();
      const { token } = await call('POST /account/change-password', { body: { currPwd, newPwd } });
      // Also where a call of this browser met the old token's end before this answer came.
      toast.close('session-ended');
      resumeSession(before, token);
    },
    onSaved: () => {
      toast.success('Your password is changed. All other browsers are signed out.');
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ownAccountQuery.queryKey });
      onDone();
    },
  });
}

export function PasswordFields({ form }: { form: Form<PasswordValues> }) {
  return (
    <>
      <PasswordField {...form.field('currPwd')} label="Current password" autoComplete="current-password" />
      <PasswordField {...form.field('newPwd')} label="New password" autoComplete="new-password" isMeasured />
      <PasswordField
        {...form.field('passwordConfirmation')}
        label="Confirm password"
        autoComplete="new-password"
      />
    </>
  );
}

/** The part of the page that changes the password. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = usePasswordForm(onDone);
  return (
    <RecordForm form={form} label="Change password" save="Change password" saving="Changing…" back="/">
      <FormSection title="Change password">
        <PasswordFields form={form} />
      </FormSection>
    </RecordForm>
  );
}
