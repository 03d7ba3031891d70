import { IconTractor, IconUsers } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { RegistrationFrame } from './registration-frame.tsx';
import classes from './registration.module.css';

/** `/register/account-type` */
export function TypePage() {
  const { redirect } = useSearch({ from: '/register/account-type' });
  return (
    <RegistrationFrame title="Create an account">
      <div className={classes.types}>
        <Link to="/register/terms" search={{ type: 'owner', redirect }} className={classes.type}>
          <IconTractor size={30} stroke={1.5} aria-hidden="true" />
          <strong>Farm Owner</strong>
          <span>You have a farm with devices, hold its subscription, and decide who else sees it.</span>
        </Link>
        <Link to="/register/terms" search={{ type: 'delegate', redirect }} className={classes.type}>
          <IconUsers size={30} stroke={1.5} aria-hidden="true" />
          <strong>Farm Delegate</strong>
          <span>You are a manager, a contractor or were invited: owners share their farms with you.</span>
        </Link>
      </div>
      <Link to="/login" search={{ redirect }} className={classes.wayBack}>
        Go back to Login
      </Link>
    </RegistrationFrame>
  );
}
