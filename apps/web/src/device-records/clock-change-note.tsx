import type { ReactNode } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import type { ClockSeam } from '@headrace/contract/rules/schedule/clock-seams';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { weekday } from '../ui/weekday.ts';
import classes from './clock-change-note.module.css';

interface ClockChangeProps {
  seam: ClockSeam;
  zone: Timezone;
  /** It was: what waters beside what is told ahead. */
  isOver?: boolean;
  /** What it comes to, or where to see that. */
  children?: ReactNode;
}

/** Told a week ahead: in spring two sprinklers of a line run side by side for the skipped hour, in autumn none does. */
export const ClockChangeNote = ({
  seam: { at, fromMin, toMin },
  zone,
  isOver = false,
  children,
}: ClockChangeProps) => (
  <NoteLine>
    The clock {isOver ? 'went' : 'goes'} {clockText(fromMin)} → {clockText(toMin)} on {weekday(at, zone)}.{' '}
    {!isOver && `${effectText(toMin - fromMin)} `}
    {children}
  </NoteLine>
);

/** A line above what it is about. */
export const NoteLine = ({ children }: { children: ReactNode }) => (
  <p className={classes.note} role="note">
    <ConditionDot condition="caution" label={null} />
    <span>{children}</span>
  </p>
);

function effectText(jump: number): string {
  const minutes = Math.abs(jump) > 720 ? 1440 - Math.abs(jump) : Math.abs(jump);
  return jump > 0
    ? `Waterings of the ${minutes} minutes that are skipped begin at the change, beside those that follow.`
    : `Each line rests for ${minutes} minutes: a watering of the hour that comes twice runs the first time.`;
}
