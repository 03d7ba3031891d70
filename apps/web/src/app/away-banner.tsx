import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { DATABASE_AWAY_TEXT } from '@headrace/contract/texts';
import { type Missing, serverHeardAt, useMissing } from '../api/reach.ts';
import { useNow } from '../ui/clock.ts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { exactTime } from '../ui/format.ts';
import { PlainButton } from '../ui/plain-button.tsx';
import classes from './shell.module.css';

/** One call in vain among others isn't worth a word, ms. */
const PATIENCE_MS = 1500;

/** Says that what is shown is the last that was known, and of when. */
export function AwayBanner() {
  const queryClient = useQueryClient();
  const now = useNow();
  const missing = useMissing();
  const isAway = missing !== null;
  const [isSure, setIsSure] = useState(false);
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setTimeout(setIsSure, navigator.onLine ? PATIENCE_MS : 0, true);
    return () => {
      clearTimeout(timer);
      setIsSure(false);
    };
  }, [isAway]);
  if (!missing || !isSure) return null;
  const heardAt = serverHeardAt();
  return (
    <div className={classes.away} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        <strong>{faultText(missing)}</strong> {missing === 'database' && 'This page asks again by itself. '}
        {heardAt !== null && `Shown as of ${asOf(heardAt, now)}.`}
      </span>
      <PlainButton onClick={() => void queryClient.refetchQueries({ type: 'active' })}>Try again</PlainButton>
    </div>
  );
}

function faultText(missing: Missing): string {
  if (!navigator.onLine) return 'No internet connection.';
  return missing === 'database' ? DATABASE_AWAY_TEXT : "The server can't be reached.";
}

/** "05:52" of today, else with the day before it. */
function asOf(at: number, now: number): string {
  const [day, time] = exactTime(at).split(' ');
  return day === exactTime(now).split(' ')[0] ? (time ?? '') : `${time} on ${day}`;
}
