import { useState } from 'react';
import type { OwnProof, SecondStepState } from '@headrace/contract/second-step';
import { required } from '@headrace/contract/rules/form-rules';
import { TextField } from '../../forms/fields.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { hasPasskeysHere, takePasskey } from './passkeys.ts';
import classes from './second-step.module.css';

/** The second step of somebody who is signed in, where there is one: a code that is typed, or a passkey. */
export function useStepProof(asks: SecondStepState | undefined) {
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState<'code' | 'passkey' | null>(null);
  const isAsked = asks !== undefined && asks.since !== null;
  const canPasskey = isAsked && asks.passkeys.length > 0 && hasPasskeysHere(asks);
  const byPasskey = canPasskey && (chosen === null ? !asks.hasApp : chosen === 'passkey');
  const isTyped = isAsked && !byPasskey;
  return {
    code,
    setCode,
    canPasskey,
    byPasskey,
    isTyped,
    hasApp: asks?.hasApp ?? false,
    choose: setChosen,
    /** What is still to be typed, in words; null: nothing. */
    missing: isTyped ? (required('Code')(code) ?? null) : null,
    prove: async (): Promise<Omit<OwnProof, 'password'>> => ({
      ...(isTyped && { code }),
      ...(byPasskey && { passkey: await takePasskey() }),
    }),
  };
}
type StepProof = ReturnType<typeof useStepProof>;

export function StepProofFields({ step, error }: { step: StepProof; error?: string | undefined }) {
  return (
    <>
      {step.isTyped && (
        <TextField
          name="code"
          label={step.hasApp ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'}
          required
          maxLength={60}
          autoComplete="one-time-code"
          value={step.code}
          error={error}
          onChange={step.setCode}
          onBlur={() => undefined}
        />
      )}
      {step.byPasskey && <p className={classes.text}>Then your browser asks for your passkey.</p>}
      {step.canPasskey && (
        <div className={classes.row}>
          <PlainButton onClick={() => step.choose(step.byPasskey ? 'code' : 'passkey')}>
            {step.byPasskey ? 'Type a code instead' : 'Use a passkey instead'}
          </PlainButton>
        </div>
      )}
    </>
  );
}
