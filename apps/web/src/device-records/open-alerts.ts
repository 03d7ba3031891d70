import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Incident } from '@headrace/contract/alerts';
import { flag } from '@headrace/contract/permissions';
import { call } from '../api/client.ts';
import { useCan } from '../access/permissions.ts';
import type { Condition } from '../ui/tokens.ts';

const EACH_MINUTE = 60_000;

/** What is so now on all farms of whose alerts one is told, the worst first. Values move while it is so: asked for by the minute. */
export const openAlertsQuery = queryOptions({
  queryKey: ['alerts-open'],
  queryFn: async ({ signal }) => (await call('GET /alerts/open', { signal })).open,
  refetchInterval: EACH_MINUTE,
  meta: { records: ['alert'] },
});

/** Whether one is told of a farm's alerts. */
const mayHear = { anyOf: [flag('notifications')] };

/** Of one farm. `isUnknown`: it couldn't be loaded, now or newly. */
export function useOpenAlerts(
  farmUID: string,
  isAsked = true,
): { open: readonly Incident[]; isLoading: boolean; isUnknown: boolean } {
  const enabled = useCan(mayHear, farmUID) && isAsked;
  const { data = [], isLoading, isError } = useQuery({ ...openAlertsQuery, enabled });
  const open = enabled ? data.filter((incident) => incident.farmUID === farmUID) : [];
  return { open, isLoading, isUnknown: enabled && isError };
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
