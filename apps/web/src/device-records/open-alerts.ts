import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Incident } from '@headrace/contract/alerts';
import { needs } from '@headrace/contract/permissions';
import { call } from '../api/client.ts';
import { useCan } from '../access/permissions.ts';
import type { Condition } from '../ui/tokens.ts';

export const EACH_MINUTE = 60_000;

/** What is so now on all farms of whose alerts one is told, the worst first. Values move while it is so: asked for by the minute. */
export const openAlertsQuery = queryOptions({
  queryKey: ['open-alerts'],
  queryFn: ({ signal }) => call('GET /alerts/open', { query: {}, signal }),
  refetchInterval: EACH_MINUTE,
  meta: { records: ['alert'] },
});

export interface FarmAlerts {
  readonly open: readonly Incident[];
  /** There are more than these. */
  readonly isCut: boolean;
  readonly isLoading: boolean;
  /** Nobody is told of them by another way than the bell. */
  readonly isInBellAlone: boolean;
  /** It couldn't be loaded, now or newly. */
  readonly isUnknown: boolean;
}

/** Of one farm. */
export function useOpenAlerts(farmUID: string, isAsked = true): FarmAlerts {
  const enabled = useCan(needs.hearAlerts, farmUID) && isAsked;
  const { data, isLoading, isError } = useQuery({ ...openAlertsQuery, enabled });
  const open = enabled && data ? data.open.filter((incident) => incident.farmUID === farmUID) : [];
  const isCut = enabled && data?.cut.includes(farmUID) === true;
  const isInBellAlone = enabled && data?.inBellAlone.includes(farmUID) === true;
  return { open, isCut, isInBellAlone, isLoading, isUnknown: enabled && isError };
}

export const alertCondition: Readonly<Record<Incident['class'], Condition>> = {
  urgent: 'issue',
  important: 'caution',
  info: 'sensor',
};

export const alertClassLabels: Readonly<Record<Incident['class'], string>> = {
  info: 'For information',
  important: 'Important',
  urgent: 'Urgent',
};
