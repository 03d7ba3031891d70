import type { ReactNode } from 'react';
import { required } from '@headrace/contract/rules/form-rules';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { PasswordField } from './password-field.tsx';

export interface PasswordDialogProps<R> {
  title: string;
  /** What it is asked for. */
  children?: ReactNode;
  save: string;
  saving: string;
  run: (password: string) => Promise<R>;
  onDone: (result: R) => void;
  onClose: () => void;
}

/** Whoever has only an open browser can't do this: it asks for the password first. */
export function PasswordDialog<R>({ title, children, save, saving, ...work }: PasswordDialogProps<R>) {
  const form = useRecordForm({
    draftKey: null,
    initial: { password: '' },
    validate: ({ password }) => {
      const missing = required('Password')(password);
      return missing ? { password: missing } : {};
    },
    save: ({ password }) => work.run(password),
    onSaved: work.onDone,
  });
  return (
    <FormDialog form={form} title={title} save={save} saving={saving} onClose={work.onClose}>
      {children}
      <PasswordField {...form.field('password')} label="Your password" autoComplete="current-password" />
    </FormDialog>
  );
}
