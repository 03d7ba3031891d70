import classes from './account.module.css';

export const AccountSkeleton = () => (
  <div className={classes.skeleton} aria-hidden="true">
    <i />
    <i />
  </div>
);
