import { Link } from '@tanstack/react-router';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import classes from './missing-details.module.css';

/** Shown to people whose account has no mobile number. */
export function MissingDetails() {
  return (
    <div className={classes.banner} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        Your account is missing some details. Please, <Link to="/account-details">click here</Link> to update
        it.
      </span>
    </div>
  );
}
