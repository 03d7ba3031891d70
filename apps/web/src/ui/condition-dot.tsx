import { conditionShapes } from './condition-shapes.ts';
import { conditionLabels, type Condition } from './tokens.ts';

export interface ConditionDotProps {
  condition: Condition;
  /** px */
  size?: number | undefined;
  /** What it says to a screen reader; null where the words stand beside it. */
  label?: string | null | undefined;
}

/** A condition as colour and shape. */
export function ConditionDot({
  condition,
  size = 14,
  label = conditionLabels[condition],
}: ConditionDotProps) {
  const spoken = label === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} style={{ flex: 'none' }} {...spoken}>
      <path d={conditionShapes[condition]} fill={`var(--hr-${condition})`} fillRule="evenodd" />
    </svg>
  );
}
