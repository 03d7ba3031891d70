import classes from './schedule-view.module.css';

/** A tab before its data. */
export function TabBones() {
  return (
    <div className={classes.bones} aria-hidden="true">
      {Array.from({ length: 6 }, (_, n) => (
        <div key={n} className={classes.bone} />
      ))}
    </div>
  );
}
