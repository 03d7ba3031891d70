import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { Button, Loader } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { Age } from '../ui/age.tsx';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { exactTime } from '../ui/format.ts';
import { PlainButton } from '../ui/plain-button.tsx';
import type { FieldLabels } from './conflict-dialog.tsx';
import { ConflictDialog, LeaveDialog, QuestionDialog } from './lazy-dialogs.ts';
import { useLeaveGuard } from './leave-guard.tsx';
import type { Another, RecordForm as Form } from './use-record-form.ts';
import classes from './forms.module.css';

export interface RecordFormProps<V extends object> {
  form: Form<V>;
  /** What the form is called to screen readers: "Farm Information". */
  label: string;
  /** What each field is called, and how its value reads, where two people's versions are compared. */
  labels?: FieldLabels<V> | undefined;
  save?: string | undefined;
  /** The same while it is done: "Saving…". */
  saving?: string | undefined;
  /** Out of use until the form can be saved. */
  isSaveDisabled?: boolean | undefined;
  /** Where Cancel leads when there is no page before this one. */
  back: string;
  /** In place of Cancel: another word, another way. */
  cancel?: { text: string; go: () => void } | undefined;
  /** Before the plain way of saving. */
  onSave?: (() => void) | undefined;
  /** Another way of saving, before the plain one: "Save and compute". */
  also?: { text: string; press: () => void } | undefined;
  /** Always in sight above the buttons. */
  above?: ReactNode;
  children: ReactNode;
}

/** A form round its fields: the kept draft, what went wrong, saving, and asking before something is lost. */
export function RecordForm<V extends object>(props: RecordFormProps<V>) {
  const { form, label, labels, children } = props;
  const element = useRef<HTMLFormElement>(null);
  const leaving = useLeaveGuard(form.isUnsaved);
  const { another } = form;
  useFocusOnFault(element, form.attempts);
  useFocusOnNext(element, another);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Whoever is adding one after the other goes on with Enter, as a scanner does after each number.
    if (isGoingOn(another)) another?.submit();
    else {
      props.onSave?.();
      form.submit();
    }
  };
  // Also from within its boxes.
  useHotkeys([['mod+Enter', () => another?.submit()]], []);
  const leave = () => {
    form.giveUp();
    leaving?.proceed();
  };
  return (
    <form ref={element} noValidate className={classes.form} aria-label={label} onSubmit={submit}>
      <DraftOffer form={form} />
      {/* Where one is in a long form, not at its top. */}
      <div className={classes.inSight}>{labels && <Behind form={form} />}</div>
      {children}
      <SaveBar {...props} />
      {labels && <Conflict form={form} labels={labels} />}
      {form.question !== null && <QuestionDialog text={form.question} onAnswer={form.answer} />}
      {leaving && <LeaveDialog lost={lostOf(form, labels)} onStay={leaving.stay} onLeave={leave} />}
    </form>
  );
}

/** What would be lost, by the names that the form's fields have. */
export const lostOf = <V extends object>(form: Form<V>, labels: FieldLabels<V> | undefined): string[] =>
  labels ? form.changed.map((name) => labels[name].label) : [];

/** Tells, while one types, that somebody else has saved the same record. */
export function Behind<V extends object>({ form }: { form: Form<V> }) {
  if (!form.isBehind) return null;
  return (
    <div className={classes.offer} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        {form.lastChange ? (
          <>
            {form.lastChange.by} changed this <Age at={form.lastChange.at} />.
          </>
        ) : (
          'Somebody else changed this meanwhile.'
        )}{' '}
        Saving asks you what to keep.
      </span>
      <span className={classes.offerWays}>
        <PlainButton onClick={form.compare}>Compare now</PlainButton>
      </span>
    </div>
  );
}

/** What to keep of two people's versions, when there are two. */
export function Conflict<V extends object>({ form, labels }: { form: Form<V>; labels: FieldLabels<V> }) {
  if (!form.conflict) return null;
  return (
    <ConflictDialog
      conflict={form.conflict}
      last={form.lastChange}
      labels={labels}
      onChosen={form.resolveConflict}
      onClose={form.closeConflict}
    />
  );
}

/** After each try that failed, to the first fault from the top. */
export function useFocusOnFault(form: { current: HTMLFormElement | null }, attempts: number): void {
  useEffect(() => {
    if (attempts === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
  }, [form, attempts]);
}

/** Whether records are being added one after the other. */
const isGoingOn = (another: Another | null) => another !== null && another.count > 0;

/** After each that was added, to the first thing to enter of the next. */
function useFocusOnNext(form: { current: HTMLFormElement | null }, another: Another | null): void {
  const count = another?.count ?? 0;
  const focus = another?.focus;
  useEffect(() => {
    if (count > 0) form.current?.querySelector<HTMLElement>(`[name="${focus}"]`)?.focus();
  }, [form, count, focus]);
}

/** What was typed here before and not saved: back, or away. */
export function DraftOffer<V extends object>({ form }: { form: Form<V> }) {
  if (!form.draft) return null;
  return (
    <div className={classes.offer} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        What you typed here <span className="num">{exactTime(form.draft.at)}</span> (
        <Age at={form.draft.at} />) wasn't saved.
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
  const {
    form,
    save = 'Save',
    saving = 'Saving…',
    isSaveDisabled = false,
    back,
    cancel,
    also,
    above,
  } = props;
  const router = useRouter();
  const goBack = () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: back });
  };
  const text = form.failure ?? (form.faults > 0 ? faultsText(form.faults) : null);
  const { another } = form;
  const isOnward = isGoingOn(another);
  const way = cancel ?? { text: isOnward && !form.isDirty ? 'Done' : 'Cancel', go: goBack };
  // Not disabled while it saves: the keyboard would lose its place.
  const busy = { 'aria-disabled': form.isSaving };
  return (
    <div className={classes.bar}>
      {above}
      <div className={classes.notice} role="alert">
        {text && (
          <>
            <ConditionDot condition="issue" size={18} label={null} />
            <span>{text}</span>
          </>
        )}
      </div>
      <Button variant="default" onClick={way.go}>
        {way.text}
      </Button>
      {another && (
        <Button
          {...busy}
          variant={isOnward ? 'filled' : 'default'}
          type={isOnward ? 'submit' : 'button'}
          title="Ctrl+Enter"
          aria-keyshortcuts="Control+Enter"
          onClick={isOnward ? undefined : another.submit}
        >
          Save and add another
        </Button>
      )}
      {also && (
        <Button {...busy} variant="default" disabled={isSaveDisabled} onClick={also.press}>
          {also.text}
        </Button>
      )}
      <Button
        {...busy}
        variant={isOnward ? 'default' : 'filled'}
        type={isOnward ? 'button' : 'submit'}
        disabled={isSaveDisabled}
        onClick={isOnward ? form.submit : undefined}
        leftSection={form.isSaving ? <Loader size={18} color="currentcolor" /> : undefined}
      >
        {form.isSaving ? saving : save}
      </Button>
    </div>
  );
}
