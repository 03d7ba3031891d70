import { Link } from '@tanstack/react-router';
import classes from './advice.module.css';

interface EditLinkProps {
  farmUID: string;
  /** A group's uid, or `farm`. */
  of: string;
  label?: string | undefined;
  children: string;
}

/** Into the form of a group's soil, or of the farm's; its address can be sent. */
export const EditLink = ({ farmUID, of, label, children }: EditLinkProps) => (
  <Link
    to="/irrigation-advice/$farmUID"
    params={{ farmUID }}
    search={{ edit: of }}
    className={classes.edit}
    aria-label={label}
  >
    {children}
  </Link>
);
