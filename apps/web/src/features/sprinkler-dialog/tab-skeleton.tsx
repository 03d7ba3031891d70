import classes from './sprinkler-dialog.module.css';

/** A heading and lines. */
export const TabSkeleton = () => (
  <div className={classes.skeleton} aria-hidden="true">
    <i />
    <i />
    <i />
    <i />
  </div>
);
