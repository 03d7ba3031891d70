import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { TankInsight } from '@headrace/contract/insights';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { insightsQuery } from './insights.queries.ts';

/** What the readings of the farm's tanks point to, by tank, as far as that is known and may be. */
export function useTankInsights(farmUID: string): ReadonlyMap<string, TankInsight> {
  const canSum = useCan(needs.tankSummary, farmUID);
  const { data } = useQuery({ ...insightsQuery(farmUID), enabled: canSum });
  return useMemo(() => new Map(data?.tanks.map((one) => [one._id, one])), [data]);
}
