import { Link } from '@tanstack/react-router';
import { Logo } from './logo.tsx';
import classes from './home-brand.module.css';

/** The way home from pages that stand without the header. */
export function HomeBrand() {
  return (
    <Link to="/" className={classes.brand}>
      <Logo size={34} /> Headrace
    </Link>
  );
}
