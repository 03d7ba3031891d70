import type { RefObject } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { summaryText } from './plan-labels.ts';
import type { LivePlan } from './use-plan.ts';
import classes from './template-form.module.css';

interface SummaryProps {
  plan: LivePlan;
  /** Its heading, below the form. */
  result: RefObject<HTMLHeadingElement | null>;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** To the result, also for the keyboard. */
export function showResult(heading: HTMLHeadingElement | null): void {
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Always in sight: steps back and forth and, where the result is below the form, what it says in a line and the way to it. */
export function PlanSummary({ plan: { result: known }, result, undo, redo }: SummaryProps) {
  return (
    <div className={classes.summary}>
      {known && (
        <button
          type="button"
          className={classes.said}
          data-fault={!known.made || undefined}
          onClick={() => showResult(result.current)}
        >
          <ConditionDot condition={known.made ? 'ok' : 'issue'} size={18} label={null} />
          <span>{summaryText(known)}</span>
        </button>
      )}
      <Step label="Undo" icon={IconArrowBackUp} go={undo} />
      <Step label="Redo" icon={IconArrowForwardUp} go={redo} />
    </div>
  );
}

const Step = ({
  label,
  icon: Icon,
  go,
}: {
  label: string;
  icon: typeof IconArrowBackUp;
  go: (() => void) | null;
}) => (
  <ActionIcon
    variant="default"
    size={44}
    aria-label={label}
    title={label}
    disabled={!go}
    onClick={() => go?.()}
  >
    <Icon size={22} stroke={1.7} aria-hidden="true" />
  </ActionIcon>
);
