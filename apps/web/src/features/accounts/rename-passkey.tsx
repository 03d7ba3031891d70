import { PASSKEY_NAME_MAX } from '@headrace/contract/limits';
import { required } from '@headrace/contract/rules/form-rules';
import type { Passkey, SecondStepState } from '@headrace/contract/second-step';
import { call } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { PasswordField } from './password-field.tsx';
import { StepProofFields, useStepProof } from './step-proof.tsx';

interface RenamePasskeyProps {
  asks: SecondStepState;
  passkey: Passkey;
  onDone: () => void;
  onClose: () => void;
}

/** Whose phone or key it is, where the browser's own name doesn't say. */
export function RenamePasskey({ asks, passkey, onDone, onClose }: RenamePasskeyProps) {
  const step = useStepProof(asks);
  const form = useRecordForm({
    draftKey: null,
    initial: { name: passkey.name, password: '' },
    validate: (values) => {
      const name = required('Name')(values.name);
      const password = required('Password')(values.password);
      return {
        ...(name && { name }),
        ...(password && { password }),
        ...(step.missing && { code: step.missing }),
      };
    },
    save: async ({ name, password }) => {
      const body = { id: passkey.id, name, password, ...(await step.prove()) };
      await call('POST /account/passkey/rename', { body });
    },
    onSaved: onDone,
  });
  return (
    <FormDialog form={form} title="Rename the passkey" save="Rename" saving="Renaming…" onClose={onClose}>
      <TextField {...form.field('name')} label="Name" required maxLength={PASSKEY_NAME_MAX} />
      <PasswordField {...form.field('password')} label="Your password" autoComplete="current-password" />
      <StepProofFields step={step} error={form.error('code')} />
    </FormDialog>
  );
}
