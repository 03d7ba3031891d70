import { Link } from '@tanstack/react-router';
import classes from './footer.module.css';

/** Below every page. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <Link to="/terms-of-use">Terms of Use</Link>
      <Link to="/privacy-policy">Privacy Policy</Link>
    </footer>
  );
}
