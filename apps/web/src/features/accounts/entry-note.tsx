import type { ReactNode } from 'react';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import classes from './entry.module.css';

export interface EntryNoteProps {
  title: string;
  /** Whether it went well. */
  isDone: boolean;
  text: ReactNode;
  /** The next step. */
  links: ReactNode;
}

/** How something on an entry page ended. */
export function EntryNote({ title, isDone, text, links }: EntryNoteProps) {
  return (
    <div className={classes.form}>
      <h1 className={classes.title}>{title}</h1>
      <div className={classes.done} role="status">
        <ConditionDot condition={isDone ? 'ok' : 'issue'} size={18} label={null} />
        <p className={classes.text}>{text}</p>
      </div>
      <div className={classes.links}>{links}</div>
    </div>
  );
}
