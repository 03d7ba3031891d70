import { useSession } from '../session/use-session.ts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { exactTime } from '../ui/format.ts';
import classes from './shell.module.css';

export function SuspendedBanner() {
  const { subscriptionValidUntil } = useSession();
  const [day] = exactTime(Date.parse(subscriptionValidUntil ?? '')).split(' ');
  return (
    <div className={classes.banner} role="status">
      <ConditionDot condition="issue" size={18} label={null} />
      <span>
        <strong>Account Suspended.</strong> The subscription ended on {day}.
      </span>
    </div>
  );
}
