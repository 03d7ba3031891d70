import { Link } from '@tanstack/react-router';
import { Logo } from '../../ui/logo.tsx';
import classes from './entry.module.css';

/** The way home from pages that stand without the header. */
export function HomeBrand() {
  return (
    <Link to="/" className={classes.homeBrand}>
      <Logo size={34} /> Headrace
    </Link>
  );
}
