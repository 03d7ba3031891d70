import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/client.ts';
import { designInCycle } from '../schedule-sets/set-design.ts';
import { scheduleFarmQuery } from '../schedules/templates.queries.ts';
import type { Restriction } from './restricted-design.ts';
import { trimmedText } from './trimmed-text.ts';

interface TrimmedTakeProps {
  farmUID: string;
  setUID: string;
  by: Restriction;
  /** L a day that may be taken. */
  allowedLitres: number;
}

/** What a trimmed template would take, before it is made. */
export function TrimmedTake({ farmUID, setUID, by, allowedLitres }: TrimmedTakeProps) {
  const farm = useQuery(scheduleFarmQuery(farmUID));
  const design = useQuery({
    queryKey: ['set-design', farmUID, setUID],
    queryFn: () => designInCycle(farmUID, setUID, ''),
    // Groups that are gone aren't in it.
    meta: { records: ['group', 'schedule set'], farmUID },
  });
  const told = useMemo(
    () => farm.data && design.data && trimmedText(farm.data, design.data, by, allowedLitres),
    [farm.data, design.data, by, allowedLitres],
  );
  const error = design.error ?? farm.error;
  if (error && !told) return <p role="alert">What it would take isn't known: {errorText(error)}</p>;
  if (!told) return <p>Reckoning what it would take…</p>;
  return (
    <p role={told.isEnough ? 'status' : 'alert'} className="num">
      {told.text}
    </p>
  );
}
