import classes from './farm-form.module.css';

/** The form's shape while its record is on its way. */
export function FormSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
