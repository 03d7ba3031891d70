import type { ReactNode } from 'react';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { Condition } from '../../ui/tokens.ts';
import classes from './tank-dialog.module.css';

/** What a person should know of the tank before all else. */
export function Notice({ condition, children }: { condition: Condition; children: ReactNode }) {
  return (
    <p className={classes.notice} style={{ background: `var(--hr-${condition}-soft)` }}>
      <ConditionDot condition={condition} label={null} size={16} />
      <span className={classes.noticeText}>{children}</span>
    </p>
  );
}
