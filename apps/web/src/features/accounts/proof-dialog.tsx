import type { ReactNode } from 'react';
import type { OwnProof, SecondStepState } from '@headrace/contract/second-step';
import { required } from '@headrace/contract/rules/form-rules';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { PasswordField } from './password-field.tsx';
import { StepProofFields, useStepProof } from './step-proof.tsx';

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
  const step = useStepProof(asks);
  const form = useRecordForm({
    draftKey: null,
    initial: { password: '' },
    validate: ({ password }) => {
      const missing = required('Password')(password);
      return { ...(missing && { password: missing }), ...(step.missing && { code: step.missing }) };
    },
    save: async ({ password }) => work.run({ password, ...(await step.prove()) }),
    onSaved: work.onDone,
  });
  return (
    <FormDialog form={form} title={title} save={save} saving={saving} onClose={work.onClose}>
      {children}
      <PasswordField {...form.field('password')} label="Your password" autoComplete="current-password" />
      <StepProofFields step={step} error={form.error('code')} />
    </FormDialog>
  );
}
