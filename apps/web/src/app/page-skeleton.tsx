import classes from './shell.module.css';

/** While a page's code is on its way: a heading and blocks, nothing that pretends to be data. */
export function PageSkeleton() {
  return (
    <div className={classes.skeleton} role="progressbar" aria-busy="true" aria-label="Loading">
      <div data-line />
      <div data-block />
      <div data-block />
    </div>
  );
}
