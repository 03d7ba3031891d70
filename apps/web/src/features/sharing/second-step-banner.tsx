import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import classes from './sharing.module.css';

const NAMED = 3;

/** Owners ask this person for a second step of signing in: what is shut without it, or will be. */
export function SecondStepBanner() {
  const { data } = useQuery(sharersSecondStepQuery);
  const now = useNow();
  return data?.askedBy.map((one) => (
    <div key={one.owner + one.from} className={classes.asked} role="status">
      <ConditionDot condition={Date.parse(one.from) > now ? 'caution' : 'issue'} size={18} label={null} />
      <span>
        {textOf(one, now)} <Link to="/security">Set it up</Link>
      </span>
    </div>
  ));
}

function textOf({ owner, farms, from }: SharersSecondStep['askedBy'][number], now: number): string {
  const what =
    farms.length > NAMED
      ? `${farms.length} farms of ${owner}`
      : farms.map(({ farmName }) => farmName).join(', ') || `The farms of ${owner}`;
  return Date.parse(from) <= now
    ? `${what}: shut until your account has two-step sign-in, as ${owner} requires. Alerts still come.`
    : `${owner} requires two-step sign-in. From ${exactTime(Date.parse(from))} on you can't open without it: ${what}.`;
}
