import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { sharersSecondStepQuery } from './sharing.queries.ts';
import classes from './sharing.module.css';

/** Owners ask this person for a second step of signing in: what is shut without it, or will be. */
export function SecondStepBanner() {
  const { data } = useQuery(sharersSecondStepQuery);
  const now = useNow();
  return data?.askedBy.map((one) => (
    <div key={one.owner} className={classes.asked} role="status">
      <ConditionDot condition={Date.parse(one.from) > now ? 'caution' : 'issue'} size={18} label={null} />
      <span>
        {textOf(one, now)} <Link to="/security">Set it up</Link>
      </span>
    </div>
  ));
}

function textOf({ owner, farms, from }: SharersSecondStep['askedBy'][number], now: number): string {
  const what =
    farms.length > 3 ? `${farms.length} farms of ${owner}` : farms.join(', ') || `The farms of ${owner}`;
  if (Date.parse(from) <= now)
    return `${what} can't be opened until your account has two-step sign-in, as ${owner} asks. Alerts still come.`;
  const [day] = exactTime(Date.parse(from)).split(' ');
  return `${owner} asks for two-step sign-in. From ${day} on ${what} can't be opened without it.`;
}
