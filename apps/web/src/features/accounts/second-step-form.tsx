import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import type { LoginReply, SecondStepAsked } from '@headrace/contract/accounts';
import { required } from '@headrace/contract/rules/form-rules';
import { ApiError, call } from '../../api/client.ts';
import { rememberSecondStep } from '../../api/session.ts';
import { TextField } from '../../forms/fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import { EntryForm } from './entry-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';

const OVER_TEXT = 'There were too many wrong codes, or it took too long. Please begin again.';
const SHUT_TEXT =
  'Too many codes were tried for this account today. Sign in with a recovery code or a passkey, or set a new password by mail (Forgot password): then codes of the app are taken again.';

type Way = 'app' | 'recovery';
const ways = {
  app: {
    text: 'Open your authenticator app and type the code that it shows for Headrace.',
    label: 'Code of your authenticator app',
    wrong: 'This code is wrong or was used already. Type the next one that the app shows.',
    other: 'Use the authenticator app',
  },
  recovery: {
    text: 'Type one of the recovery codes that you kept when two-step sign-in was set up. Each works once.',
    label: 'Recovery code',
    wrong: 'This is none of your recovery codes, or it was used already.',
    other: 'Use a recovery code',
  },
} as const satisfies Record<Way, unknown>;

export interface SecondStepFormProps {
  asked: SecondStepAsked;
  onSignedIn: (reply: LoginReply) => void;
  /** Back to the first step; `text`: why. */
  onOver: (text: string | null) => void;
}

/** After the password: a code, or a passkey in its place. */
export function SecondStepForm({ asked, onSignedIn, onOver }: SecondStepFormProps) {
  const [way, setWay] = useState<Way>(asked.hasApp ? 'app' : 'recovery');
  const [remember, setRemember] = useState(false);
  const { text, label, wrong } = ways[way];
  const form = useRecordForm({
    draftKey: null,
    initial: { code: '' },
    validate: ({ code }) => {
      const missing = required('Code')(code);
      return missing ? { code: missing } : {};
    },
    save: async ({ code }) => {
      const reply = await call('POST /account/auth/second-step', {
        body: { ticket: asked.ticket, code, remember },
      });
      if (!reply.success && !reply.isOver)
        throw new ApiError(400, { errorMessage: wrong, field: 'code', code: 'invalid' });
      return reply;
    },
    onSaved: ({ data, rememberKey, codesLeft, isShut }) => {
      if (!data) return onOver(isShut ? SHUT_TEXT : OVER_TEXT);
      if (rememberKey) rememberSecondStep(rememberKey);
      if (codesLeft !== undefined) toast.success(leftText(codesLeft));
      onSignedIn(data);
    },
  });
  const other: Way = way === 'app' ? 'recovery' : 'app';
  return (
    <EntryForm
      form={form}
      title="Second step"
      text={asked.hasApp || way === 'recovery' ? text : undefined}
      submit="Sign in"
      busy="Signing in…"
      links={
        <>
          {(asked.hasApp || way === 'app') && (
            <PlainButton onClick={() => setWay(other)}>{ways[other].other}</PlainButton>
          )}
          {asked.hasPasskey && <PasskeyButton onSignedIn={onSignedIn} />}
          <PlainButton onClick={() => onOver(null)}>Back</PlainButton>
        </>
      }
    >
      <TextField
        {...form.field('code')}
        key={way}
        label={label}
        required
        maxLength={60}
        inputMode={way === 'app' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
      />
      <Checkbox
        label="Don't ask for it in this browser for 30 days"
        checked={remember}
        onChange={(event) => setRemember(event.currentTarget.checked)}
      />
    </EntryForm>
  );
}

const leftText = (left: number) =>
  left === 1
    ? 'You are signed in. 1 recovery code is left: make new ones in Password & Security.'
    : `You are signed in. ${left} recovery codes are left.`;
