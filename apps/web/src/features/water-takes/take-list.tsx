import { useCallback, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { WaterTake } from '@headrace/contract/water-takes';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { limitTexts } from './take-labels.ts';
import { takeDaysQuery } from './takes.queries.ts';
import { UseBars } from './use-bars.tsx';
import classes from './takes.module.css';

interface TakeListProps {
  farmUID: string;
  takes: readonly WaterTake[];
  zone: Timezone;
}

/** The farm's takes, each with what is used and left: a year of each is asked for one after another, the first first. */
export function TakeList({ farmUID, takes, zone }: TakeListProps) {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const waiting = takes.find(({ uid, meters }) => meters.length > 0 && !answered.has(uid));
  const onAnswered = useCallback((uid: string) => setAnswered((known) => new Set([...known, uid])), []);
  return (
    <ul className={classes.cards} aria-label="Water takes">
      {takes.map((take) => (
        <li key={take.uid} className={classes.card}>
          <TakeCard
            {...{ farmUID, take, zone, onAnswered }}
            isAsked={take === waiting || answered.has(take.uid)}
          />
        </li>
      ))}
    </ul>
  );
}

interface TakeCardProps extends Omit<TakeListProps, 'takes'> {
  take: WaterTake;
  isAsked: boolean;
  onAnswered: (uid: string) => void;
}

function TakeCard({ farmUID, take, zone, isAsked, onAnswered }: TakeCardProps) {
  const query = useQuery({ ...takeDaysQuery(farmUID, take.uid), enabled: isAsked });
  const { uid } = take;
  const isAnswered = isAsked && !query.isPending;
  useEffect(() => {
    if (isAnswered) onAnswered(uid);
  }, [isAnswered, onAnswered, uid]);
  const limits = limitTexts(take);
  return (
    <>
      <h2 className={classes.name}>
        <Link to="/water-takes/$farmUID" params={{ farmUID }} search={{ take: take.uid }}>
          {take.consentNo}
        </Link>
      </h2>
      <p className={classes.dim}>
        {[take.source, limits.join(', ') || 'no limit entered'].filter(Boolean).join(' · ')}
      </p>
      {take.meters.length === 0 ? (
        <p>No meter measures it yet.</p>
      ) : (
        <StateView
          query={query}
          failed="What was taken couldn't be loaded"
          skeleton={<Skeleton blocks={2} blockPx={64} />}
        >
          {({ use, gapCount, exceedanceCount }) => (
            <>
              <UseBars use={use} zone={zone} take={take} />
              <p className={classes.dim}>
                {countText(gapCount, 'gap', 'No gap')},{' '}
                {countText(exceedanceCount, 'time above a limit', 'never above a limit')} this water year.
              </p>
            </>
          )}
        </StateView>
      )}
    </>
  );
}

const countText = (count: number, one: string, none: string) => {
  if (count === 0) return none;
  return count === 1 ? `1 ${one}` : `${count} ${one.replace(/^(gap|time)/, '$1s')}`;
};
