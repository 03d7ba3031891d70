import { Button } from '@mantine/core';
import { minutesLeft } from './minutes-left.ts';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { useCloseSession } from './close-session.ts';
import { useSupportSession } from './support.queries.ts';
import classes from './support.module.css';

/** While a support session is open on the current farm: whose farm it is, until when, and the way to end it. */
export function SupportBanner() {
  const open = useSupportSession();
  const now = useNow();
  const close = useCloseSession();
  if (!open?.sessionUntil) return null;
  const until = Date.parse(open.sessionUntil);
  return (
    <div className={classes.banner} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span className="num">
        <strong>Support session on {open.name}</strong> of {open.ownerName} until {exactTime(until)} (
        {minutesLeft(until, now)}). The owner sees it in the access log.
      </span>
      <Button
        variant="default"
        aria-disabled={close.isPending}
        onClick={() => !close.isPending && close.mutate(open.farmUID)}
      >
        {close.isPending ? 'Closing…' : 'Close session'}
      </Button>
    </div>
  );
}
