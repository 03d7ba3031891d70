import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { hoursShare } from '@headrace/contract/rules/schedule/hours-share';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import type { SupplyTime } from '@headrace/contract/supply';
import { PlainButton } from '../../ui/plain-button.tsx';
import type { MadePlan } from './plan-result.ts';
import { percentText } from './percent-text.ts';
import classes from './plan-result.module.css';

interface HoursHintsProps {
  made: MadePlan;
  design: PlanDesign;
  /** That the water supply names, such as those of the night rate. */
  hours: readonly SupplyTime[];
  onMend: ((design: PlanDesign) => void) | undefined;
}

/** How much of the water runs in the hours that the farm's supply names, with a start that brings more of it in. */
export function HoursHints({ made, design, hours, onMend }: HoursHintsProps) {
  const hints = hours.flatMap((named) => {
    const found = hoursShare(made.flow, made.cycleLen, design.startMin ?? 0, named);
    // Within limits a plan is not moved as a whole.
    return found ? [{ named, ...found, startMin: design.limits ? null : found.startMin }] : [];
  });
  if (hints.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Hours of the water supply">
      {hints.map(({ named, share, startMin, shareThen }) => (
        <li key={`${named.fromMin} ${named.toMin}`} className={`${classes.finding} num`}>
          <span className={classes.sentence}>
            {named.why.trim() || 'Hours for water'} {clockText(named.fromMin)}–{clockText(named.toMin)}:{' '}
            {percentText(share)} of the water.
          </span>
          {startMin !== null && onMend && (
            <PlainButton onClick={() => onMend({ ...design, startMin })}>
              {`Start at ${clockText(startMin)}: ${percentText(shareThen)}`}
            </PlainButton>
          )}
        </li>
      ))}
    </ul>
  );
}
