import classes from './commands.module.css';

/** Rows of the log before their data. */
export function LogSkeleton() {
  return (
    <ul className={classes.list} aria-hidden="true">
      {Array.from({ length: 8 }, (_, n) => (
        <li key={n} className={classes.rowSkeleton} />
      ))}
    </ul>
  );
}
