import type { ReactNode } from 'react';
import { findingText } from '@headrace/contract/rules/schedule/finding-labels';
import type { Finding } from '@headrace/contract/rules/schedule/plan';
import {
  type DesignedFor,
  type PlanDesign,
  type Remedy,
  remediesOf,
  remedyForAll,
} from '@headrace/contract/rules/schedule/remedies';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import type { Condition } from '../../ui/tokens.ts';
import classes from './plan-result.module.css';

interface FindingsProps {
  findings: readonly Finding[];
  design: PlanDesign;
  designedFor: DesignedFor;
  /** Absent: nothing can be changed. */
  onMend: ((design: PlanDesign) => void) | undefined;
}

const conditions: Readonly<Record<Finding['severity'], Condition>> = {
  error: 'issue',
  warning: 'caution',
  note: 'poi',
};
const severityLabels = { error: 'Problem', warning: 'Warning', note: 'Note' } as const;
/** More of one kind say nothing new. */
const SHOWN = 6;

/** What somebody should know of a plan, the worst first, each with what mends it at a tap. */
export function PlanFindings({ findings, design, designedFor, onMend }: FindingsProps) {
  if (findings.length === 0) return null;
  const all = remedyForAll(findings, design);
  const shown = findings.slice(0, SHOWN);
  return (
    <div className={classes.findings} role="group" aria-label="Findings">
      {all.length > 0 && onMend && (
        <p className={classes.all}>
          <span>{findings.length} of the same kind.</span>
          <Remedies remedies={all} onMend={onMend} />
        </p>
      )}
      <ul className={classes.list}>
        {shown.map((finding) => {
          const text = findingText(finding);
          return (
            <li key={text} className={classes.finding} data-severity={finding.severity}>
              <ConditionDot
                condition={conditions[finding.severity]}
                size={18}
                label={severityLabels[finding.severity]}
              />
              <span className={classes.sentence}>{text}</span>
              {onMend && <Remedies remedies={remediesOf(finding, design, designedFor)} onMend={onMend} />}
            </li>
          );
        })}
      </ul>
      {findings.length > SHOWN && <More count={findings.length - SHOWN} />}
    </div>
  );
}

const More = ({ count }: { count: number }): ReactNode => <p className={classes.more}>…and {count} more.</p>;

function Remedies({
  remedies,
  onMend,
}: {
  remedies: readonly Remedy[];
  onMend: (design: PlanDesign) => void;
}) {
  if (remedies.length === 0) return null;
  return (
    <span className={classes.remedies}>
      {remedies.map(({ text, design }) => (
        <PlainButton key={text} onClick={() => onMend(design)}>
          {text}
        </PlainButton>
      ))}
    </span>
  );
}
