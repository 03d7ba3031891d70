import { useState } from 'react';
import type { Api } from '@headrace/contract/api';
import type { SecondStepState } from '@headrace/contract/second-step';
import { required } from '@headrace/contract/rules/form-rules';
import { call } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { ProofDialog } from './proof-dialog.tsx';
import classes from './second-step.module.css';

type Begun = Api['POST /account/authenticator/begin']['reply'];

interface SetUpAppProps {
  state: SecondStepState;
  /** With recovery codes, where it is the first second step. */
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** The password first, then the secret for the app, and its first code as the proof that it got there. */
export function SetUpApp({ state, onDone, onClose }: SetUpAppProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  if (begun) return <FirstCode begun={begun} onDone={onDone} onClose={onClose} />;
  return (
    <ProofDialog
      title="Set up an authenticator app"
      save="Go on"
      saving="Asking…"
      asks={state}
      run={(proof) => call('POST /account/authenticator/begin', { body: proof })}
      onDone={setBegun}
      onClose={onClose}
    >
      <p className={classes.text}>
        You need an app that shows sign-in codes, such as Google Authenticator, Microsoft Authenticator, Aegis
        or a password manager. It works without a network.
      </p>
    </ProofDialog>
  );
}

function FirstCode({ begun, onDone, onClose }: Omit<SetUpAppProps, 'state'> & { begun: Begun }) {
  const form = useRecordForm({
    draftKey: null,
    initial: { code: '' },
    validate: ({ code }) => {
      const missing = required('Code')(code);
      return missing ? { code: missing } : {};
    },
    save: ({ code }) => call('POST /account/authenticator', { body: { code } }),
    onSaved: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <FormDialog
      form={form}
      title="Set up an authenticator app"
      size={560}
      save="Turn on"
      saving="Checking…"
      onClose={onClose}
    >
      <p className={classes.text}>
        Scan this with the app. On this phone, <a href={begun.uri}>open it in the app</a>, or type the key
        there.
      </p>
      <img
        className={classes.qr}
        src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`}
        alt="QR code of the key below"
        width="220"
        height="220"
      />
      <p className={classes.text}>
        Key: <code className={classes.key}>{inFours(begun.secret)}</code>
      </p>
      <TextField
        {...form.field('code')}
        label="Code that the app shows now"
        required
        maxLength={20}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}

const inFours = (text: string) => text.match(/.{1,4}/g)?.join(' ') ?? text;
