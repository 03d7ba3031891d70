import classes from './diary.module.css';

/** Rows that are on their way. */
export const Bones = ({ rows = 6 }: { rows?: number }) => (
  <div aria-hidden="true">
    {Array.from({ length: rows }, (_none, n) => (
      <i key={n} className={classes.bone} />
    ))}
  </div>
);
