import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { NamedGroup } from '../schedules/plan-result.ts';
import { takesQuery } from './takes.queries.ts';

/** The farm's groups by name; empty until they are known. */
export function useGroups(farmUID: string): readonly NamedGroup[] {
  const { data } = useQuery(takesQuery(farmUID));
  return useMemo(() => (data?.groups ?? []).map(({ groupUID, name }) => ({ uid: groupUID, name })), [data]);
}
