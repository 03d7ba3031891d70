import { useId, type ReactNode } from 'react';
import classes from './panel.module.css';

/** A part of a page below its form, with a heading, on paper of its own. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`${classes.panel} ${classes.apart}`} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
