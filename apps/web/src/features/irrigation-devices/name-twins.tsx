import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import classes from '../devices/device-form.module.css';

interface NameTwinsProps {
  farmUID: string;
  name: string;
  /** The sprinkler itself, unless it is new. */
  own: string | undefined;
}

/** A name that others of the farm have: nothing hangs on it, but people tell sprinklers apart by it. */
export function NameTwins({ farmUID, name, own }: NameTwinsProps) {
  const { data } = useQuery(sprinklersQuery(farmUID));
  const wanted = fold(name);
  const twins = useMemo(
    () => data?.filter((unit) => wanted !== '' && unit._id !== own && fold(unit.name) === wanted).length ?? 0,
    [data, wanted, own],
  );
  return (
    <div role="status" aria-live="polite">
      {twins > 0 && (
        <p className={classes.hint}>
          <ConditionDot condition="caution" label={null} />
          {twins === 1 ? 'Another sprinkler has' : `${twins} other sprinklers have`} this name.
        </p>
      )}
    </div>
  );
}

const fold = (name: string) => name.trim().toLowerCase();
