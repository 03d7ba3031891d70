import { useState, type ReactNode } from 'react';
import type { OwnProof, SecondStepState } from '@headrace/contract/second-step';
import { required } from '@headrace/contract/rules/form-rules';
import { TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { hasPasskeysHere, takePasskey } from './passkeys.ts';
import { PasswordField } from './password-field.tsx';
import classes from './second-step.module.css';

export interface ProofDialogProps<R> {
  title: string;
  /** What it is asked for. */
  children?: ReactNode;
  save: string;
  saving: string;
  /** Where the second step is asked for too, if there is one. */
  asks?: SecondStepState;
  run: (proof: OwnProof) => Promise<R>;
  onDone: (result: R) => void;
  onClose: () => void;
}

/** Whoever has only an open browser can't do this: it asks for what signing in takes. */
export function ProofDialog<R>({ title, children, save, saving, asks, ...work }: ProofDialogProps<R>) {
  const isAsked = asks !== undefined && asks.since !== null;
  const canPasskey = isAsked && asks.passkeys.length > 0 && hasPasskeysHere(asks);
  const [byPasskey, setByPasskey] = useState(canPasskey && !asks.hasApp);
  const isTyped = isAsked && !byPasskey;
  const form = useRecordForm({
    draftKey: null,
    initial: { password: '', code: '' },
    validate: ({ password, code }) => {
      const missing = { password: required('Password')(password), code: isTyped && required('Code')(code) };
      return {
        ...(missing.password && { password: missing.password }),
        ...(missing.code && { code: missing.code }),
      };
    },
    save: async ({ password, code }) =>
      work.run({ password, ...(isTyped && { code }), ...(byPasskey && { passkey: await takePasskey() }) }),
    onSaved: work.onDone,
  });
  return (
    <FormDialog form={form} title={title} save={save} saving={saving} onClose={work.onClose}>
      {children}
      <PasswordField {...form.field('password')} label="Your password" autoComplete="current-password" />
      {isTyped && (
        <TextField
          {...form.field('code')}
          label={asks.hasApp ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'}
          required
          maxLength={60}
          autoComplete="one-time-code"
        />
      )}
      {byPasskey && <p className={classes.text}>Then your browser asks for your passkey.</p>}
      {canPasskey && (
        <div className={classes.row}>
          <PlainButton onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? 'Type a code instead' : 'Use a passkey instead'}
          </PlainButton>
        </div>
      )}
    </FormDialog>
  );
}
