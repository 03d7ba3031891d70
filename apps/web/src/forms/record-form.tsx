import { lazy, Suspense, useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { Button, Loader } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Age } from '../ui/age.tsx';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import type { ConflictDialog as ConflictDialogOf, FieldWords } from './conflict-dialog.tsx';
import { useLeaveGuard } from './leave-guard.tsx';
import type { RecordForm as Form } from './use-record-form.ts';
import classes from './forms.module.css';

// `lazy` forgets the type parameter.
const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then((m) => ({ default: m.ConflictDialog })),
) as unknown as typeof ConflictDialogOf;
const LeaveDialog = lazy(() => import('./leave-dialog.tsx').then((m) => ({ default: m.LeaveDialog })));

export interface RecordFormProps<V extends object> {
  form: Form<V>;
  /** What the form is called to screen readers: "Farm Information". */
  label: string;
  /** What each field is called, and how its value reads, where two people's versions are compared. */
  words?: FieldWords<V> | undefined;
  save?: string | undefined;
  /** The same while it is done: "Saving…". */
  saving?: string | undefined;
  /** Out of use until the form can be saved. */
  isSaveDisabled?: boolean | undefined;
  /** Where Cancel leads when there is no page before this one. */
  back: string;
  /** In place of Cancel: another word, another way. */
  cancel?: { text: string; go: () => void } | undefined;
  children: ReactNode;
}

/** A form round its fields: the kept draft, what went wrong, saving, and asking before something is lost. */
export function RecordForm<V extends object>(props: RecordFormProps<V>) {
  const { form, label, words, children } = props;
  const element = useRef<HTMLFormElement>(null);
  const leaving = useLeaveGuard(form.isUnsaved);
  useFocusOnFault(element, form.attempts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
  };
  const leave = () => {
    form.giveUp();
    leaving?.proceed();
  };
  return (
    <form ref={element} noValidate className={classes.form} aria-label={label} onSubmit={submit}>
      <DraftOffer form={form} />
      {children}
      <SaveBar {...props} />
      <Suspense>
        {form.conflict && words && (
          <ConflictDialog
            conflict={form.conflict}
            words={words}
            onChosen={form.resolveConflict}
            onClose={form.closeConflict}
          />
        )}
        {leaving && <LeaveDialog onStay={leaving.stay} onLeave={leave} />}
      </Suspense>
    </form>
  );
}

/** After each try that failed, to the first fault from the top. */
export function useFocusOnFault(form: { current: HTMLFormElement | null }, attempts: number): void {
  useEffect(() => {
    if (attempts === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
  }, [form, attempts]);
}

function DraftOffer<V extends object>({ form }: { form: Form<V> }) {
  if (!form.draft) return null;
  return (
    <div className={classes.offer} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        What you typed here <Age at={form.draft.at} /> wasn't saved.
      </span>
      <span className={classes.offerWays}>
        <PlainButton onClick={form.useDraft}>Bring it back</PlainButton>
        <PlainButton onClick={form.dropDraft}>Discard</PlainButton>
      </span>
    </div>
  );
}

export const faultsText = (n: number) => (n === 1 ? '1 field needs a change.' : `${n} fields need a change.`);

/** At the foot of the screen: what is wrong, and the two ways out. */
function SaveBar<V extends object>(props: RecordFormProps<V>) {
  const { form, save = 'Save', saving = 'Saving…', isSaveDisabled = false, back, cancel } = props;
  const router = useRouter();
  const goBack = () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: back });
  };
  const text = form.failure ?? (form.faults > 0 ? faultsText(form.faults) : null);
  return (
    <div className={classes.bar}>
      <div className={classes.told} role="alert">
        {text && (
          <>
            <ConditionDot condition="issue" size={18} label={null} />
            <span>{text}</span>
          </>
        )}
      </div>
      <Button variant="default" onClick={cancel?.go ?? goBack}>
        {cancel?.text ?? 'Cancel'}
      </Button>
      {/* Not disabled while it saves: the keyboard would lose its place. */}
      <Button
        type="submit"
        disabled={isSaveDisabled}
        aria-disabled={form.isSaving}
        leftSection={form.isSaving ? <Loader size={18} color="currentcolor" /> : undefined}
      >
        {form.isSaving ? saving : save}
      </Button>
    </div>
  );
}
