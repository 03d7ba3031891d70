import { useMemo } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { can, needs } from '@headrace/contract/permissions';
import { call } from '../api/client.ts';
import { useCan } from '../access/permissions.ts';
import type { Choice } from './device-record.ts';

/** The farm's gateways as lists and forms have them. */
export const gatewaysQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['gateways', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /gateway/devices', { query: { farmUID }, signal })).gateways,
    meta: { live: ['gateway'], records: ['gateway'], farmUID },
  });

export const groupsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['groups', farmUID],
    queryFn: async ({ signal }) => (await call('GET /groups', { query: { farmUID }, signal })).groups,
    meta: { records: ['group', 'sprinkler', 'farm'], farmUID },
  });

/** The farm's schedule sets, and which of them it waters by. */
export const farmSetsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['schedule-sets', farmUID],
    queryFn: ({ signal }) => call('GET /schedules/list', { query: { farmUID }, signal }),
    meta: { records: ['schedule set'], farmUID },
  });

const none: readonly Choice[] = [];

/** The farm's gateways to choose from; none where one may not read them. */
export function useGatewayChoices(farmUID: string): readonly Choice[] {
  const mayRead = useCan(needs.readGateways, farmUID);
  const { data } = useQuery({ ...gatewaysQuery(farmUID), enabled: mayRead });
  return useMemo(() => data?.map(({ _id, name }) => ({ id: _id, name })) ?? none, [data]);
}

export function useGroupChoices(farmUID: string): readonly Choice[] {
  const mayRead = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const { data } = useQuery({ ...groupsQuery(farmUID), enabled: mayRead });
  return useMemo(() => data?.map(({ _id, name }) => ({ id: _id, name })) ?? none, [data]);
}

/** Names by id, to write them in columns. */
export const useNames = (choices: readonly Choice[]): ReadonlyMap<string, string> =>
  useMemo(() => new Map(choices.map(({ id, name }) => [id, name])), [choices]);
