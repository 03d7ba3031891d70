import { useRef, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Dialog, type DialogProps, Ways } from './dialog.tsx';
import { useFocusOnFault } from './record-form.tsx';
import type { RecordForm } from './use-record-form.ts';
import classes from './dialog-content.module.css';

interface FormDialogProps<V extends object> extends Pick<DialogProps, 'title' | 'size' | 'isFullScreen'> {
  form: RecordForm<V>;
  /** Of the button, and the same while it is done: "Copy", "Copying…". */
  save: string;
  saving: string;
  onClose: () => void;
  children: ReactNode;
}

/** A short form in front of the page. What is typed is kept nowhere. */
export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { form, title, size, isFullScreen, save, saving, onClose, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useFocusOnFault(element, form.attempts);
  const isAtField = Object.keys(form.values).some((name) => form.error(name) === form.failure);
  return (
    <Dialog title={title} onClose={onClose} size={size} isFullScreen={isFullScreen}>
      <form
        ref={element}
        noValidate
        aria-label={title}
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        {children}
        {form.failure && !isAtField && (
          <p className={classes.failed} role="alert">
            {form.failure}
          </p>
        )}
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={form.isSaving}>
            {form.isSaving ? saving : save}
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}
