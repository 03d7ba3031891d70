import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Empty } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useIsSuspended } from '../../session/use-is-suspended.ts';
import forms from '../../forms/forms.module.css';
import { SUSPENDED_SHARING } from './invite-labels.ts';
import type { ShareStep } from './share-draft.ts';
import classes from './sharing.module.css';

const steps: readonly { id: ShareStep; label: string }[] = [
  { id: 'select', label: 'Farms' },
  { id: 'contacts', label: 'People' },
  { id: 'permissions', label: 'Permissions' },
];

/** A step of sharing under its heading; while the subscription is over, only why there is nothing to do. */
export function SharePage({ step, children }: { step: ShareStep; children: ReactNode }) {
  const isSuspended = useIsSuspended();
  const place = steps.findIndex(({ id }) => id === step);
  return (
    <>
      <TitleBar
        title="Share"
        subtitle={`Step ${place + 1} of ${steps.length}: ${steps[place]?.label ?? ''}`}
        back={place > 0 ? `/invitations/share/${steps[place - 1]?.id ?? 'select'}` : '/invitations'}
      />
      {isSuspended ? (
        <Empty title={SUSPENDED_SHARING} />
      ) : (
        <>
          <ol className={classes.steps} aria-label="Steps">
            {steps.map(({ id, label }, n) => (
              <li key={id} aria-current={id === step ? 'step' : undefined} data-done={n < place || undefined}>
                <span className={classes.stepNumber} aria-hidden="true">
                  {n + 1}
                </span>
                {label}
              </li>
            ))}
          </ol>
          {children}
        </>
      )}
    </>
  );
}

export interface StepBarProps {
  /** What is missing, once going on was tried. */
  fault: string | null;
  next: string;
  isBusy?: boolean | undefined;
  onNext: () => void;
}

/** At the foot of a step: what is missing, the way out and the way on. */
export function StepBar({ fault, next, isBusy = false, onNext }: StepBarProps) {
  const navigate = useNavigate();
  return (
    <div className={forms.bar}>
      <div className={forms.notice} role="alert">
        {fault && (
          <>
            <ConditionDot condition="issue" size={18} label={null} />
            <span>{fault}</span>
          </>
        )}
      </div>
      <Button variant="default" onClick={() => void navigate({ to: '/invitations' })}>
        Cancel
      </Button>
      <Button aria-disabled={isBusy} onClick={() => !isBusy && onNext()}>
        {next}
      </Button>
    </div>
  );
}
