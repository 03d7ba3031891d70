import { useRef, type FormEvent, type ReactNode } from 'react';
import { Alert, Button, Loader } from '@mantine/core';
import { faultsText, useFocusOnFault } from '../../forms/record-form.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import classes from './entry.module.css';

export interface EntryFormProps<V extends object> {
  form: RecordForm<V>;
  title: string;
  /** Before the fields: what this is for. */
  text?: ReactNode;
  submit: string;
  /** The button while it is done: "Sending…". */
  busy: string;
  /** Below the button. */
  links?: ReactNode;
  children: ReactNode;
}

/** A short form on an entry page: what went wrong at the top, one button at the foot. */
export function EntryForm<V extends object>(props: EntryFormProps<V>) {
  const { form, title, text, submit, busy, links, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useFocusOnFault(element, form.attempts);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
  };
  return (
    <form ref={element} noValidate className={classes.form} aria-label={title} onSubmit={onSubmit}>
      <h1 className={classes.title}>{title}</h1>
      {text && <p className={classes.text}>{text}</p>}
      <Summary text={form.failure ?? (form.faults > 0 ? faultsText(form.faults) : null)} />
      {children}
      {/* Not disabled while it is sent: the keyboard would lose its place. */}
      <Button
        type="submit"
        size="lg"
        fullWidth
        aria-disabled={form.isSaving}
        leftSection={form.isSaving ? <Loader size={18} color="currentcolor" /> : undefined}
      >
        {form.isSaving ? busy : submit}
      </Button>
      {links && <div className={classes.links}>{links}</div>}
    </form>
  );
}

/** What went wrong, as a whole. */
function Summary({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Alert
      role="alert"
      className={classes.failure}
      icon={<ConditionDot condition="issue" size={18} label={null} />}
    >
      {text}
    </Alert>
  );
}
