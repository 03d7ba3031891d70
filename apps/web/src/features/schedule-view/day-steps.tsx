import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './timeline.module.css';

interface DayStepsProps {
  before: string;
  after: string;
  onStep: (by: -1 | 1) => void;
  children: ReactNode;
}

/** A day's name between the ways to the one before and the one after. */
export const DaySteps = ({ before, after, onStep, children }: DayStepsProps) => (
  <div className={classes.days}>
    <ActionIcon variant="default" size={44} aria-label={before} onClick={() => onStep(-1)}>
      <IconChevronLeft size={20} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
    {children}
    <ActionIcon variant="default" size={44} aria-label={after} onClick={() => onStep(1)}>
      <IconChevronRight size={20} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
  </div>
);
