import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import classes from './second-step.module.css';

const NAMED = 5;

/** Whose farms are shut to this person once there is no second step of signing in: told before the last is removed. */
export function FarmsThatShut() {
  const { data, isError } = useQuery({ ...sharersSecondStepQuery, staleTime: 0 });
  const now = useNow();
  if (isError)
    return (
      <p className={classes.text}>
        Whether owners who share farms with you require two-step sign-in couldn't be loaded.
      </p>
    );
  const owners = data?.requiredBy ?? [];
  if (owners.length === 0) return null;
  const more = owners.length - NAMED;
  return (
    <div role="status">
      {owners.slice(0, NAMED).map(({ owner, from }) => (
        <p className={classes.text} key={owner + from}>
          <ConditionDot condition="caution" size={18} label={null} /> {owner} requires two-step sign-in:
          without it their farms are shut to you
          {Date.parse(from) > now && ` from ${exactTime(Date.parse(from))} on`}.
        </p>
      ))}
      {more > 0 && (
        <p className={classes.text}>
          {more === 1 ? '1 more owner requires' : `${more} more owners require`} it too.
        </p>
      )}
    </div>
  );
}
