import classes from './sharing.module.css';

/** The shape of a list until it is there. */
export function ListBones() {
  return (
    <div className={classes.bones} aria-hidden="true">
      {[1, 2, 3].map((n) => (
        <div key={n} className={classes.bone} />
      ))}
    </div>
  );
}
