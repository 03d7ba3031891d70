import { type RefObject, useDeferredValue } from 'react';
import type { DesignedFor, PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import type { SupplyTime } from '@headrace/contract/supply';
import { FlowStrip } from './flow-strip.tsx';
import { HoursHints } from './hours-hints.tsx';
import { PlanFindings } from './plan-findings.tsx';
import type { MadePlan } from './plan-result.ts';
import { factsOf } from './plan-labels.ts';
import { ScheduleTable } from './schedule-table.tsx';
import { useSetChanges } from './use-set-changes.ts';
import { WindHint } from './wind-hint.tsx';
import type { LivePlan } from './use-plan.ts';
import classes from './plan-result.module.css';

export interface PlanPanelProps {
  farmUID: string;
  plan: LivePlan;
  /** The template's. */
  name: string;
  designedFor: DesignedFor;
  /** Hours that the water supply names. */
  hours: readonly SupplyTime[];
  heading: RefObject<HTMLHeadingElement | null>;
  onMend: ((design: PlanDesign) => void) | undefined;
  onOpen: (serialNumber: string) => void;
}

/** What becomes of the template as it is entered now. */
export function PlanPanel(props: PlanPanelProps) {
  const { farmUID, plan, name, designedFor, hours, heading, onMend, onOpen } = props;
  const { result, isOld } = plan;
  return (
    <section className={classes.panel} aria-labelledby="plan-heading">
      <h2 id="plan-heading" ref={heading} tabIndex={-1} className={classes.heading}>
        Result
      </h2>
      {result ? (
        <div className={classes.result}>
          {/* Dimmed it could not be read; the words say it. */}
          {isOld && <p className={classes.none}>This is of what was entered before the last change.</p>}
          <PlanFindings {...{ findings: result.findings, design: result.design, designedFor, onMend }} />
          {result.made && <HoursHints made={result.made} design={result.design} {...{ hours, onMend }} />}
          {result.made && <WindHint made={result.made} design={result.design} {...{ farmUID, onMend }} />}
          {result.made && (
            <Made made={result.made} limits={result.design.limits} {...{ farmUID, name, onOpen }} />
          )}
        </div>
      ) : (
        <p className={classes.none}>Choose groups, and see here when each of their sprinklers waters.</p>
      )}
    </section>
  );
}

interface MadeProps extends Pick<PlanPanelProps, 'farmUID' | 'name' | 'onOpen'> {
  made: MadePlan;
  limits: PlanDesign['limits'];
}

function Made({ farmUID, made, limits, name, onOpen }: MadeProps) {
  // The figures first: a table of thousands takes longer, and the next letter overtakes it.
  const drawn = useDeferredValue(made);
  const changes = useSetChanges(farmUID, drawn.units, drawn.cycleLen);
  const facts =
    changes === null ? factsOf(made) : [...factsOf(made), ['Sending would change', changes] as const];
  return (
    <>
      <dl className={`${classes.facts} num`}>
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <FlowStrip flow={made.flow} cycleLen={made.cycleLen} limits={limits} />
      <ScheduleTable units={drawn.units} cycleLen={drawn.cycleLen} name={name} onOpen={onOpen} />
    </>
  );
}
