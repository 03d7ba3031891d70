import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { groupsQuery } from '../../device-records/choices.queries.ts';

export const groupCardsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['groups-card', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /groups-card', { query: { fid: farmUID }, signal })).groups,
    meta: { records: ['group', 'sprinkler', 'farm'], farmUID },
  });

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['group', groupId],
    queryFn: ({ signal }) => call('GET /group', { query: { groupId }, signal }),
    meta: { records: ['group'] },
    staleTime: 0,
  });

/** The group's devices by their ids, and where the farm is. */
export const groupDevicesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['group-devices', groupId],
    queryFn: ({ signal }) => call('GET /group/devices', { query: { groupId }, signal }),
    meta: { records: ['group', 'sprinkler', 'poi'] },
    staleTime: 0,
  });

/** A farm's groups, or who is in them, changed: everything that shows groups is asked for again. */
export async function renewGroups(queryClient: QueryClient, farmUID: string): Promise<void> {
  const keys = [
    groupCardsQuery(farmUID).queryKey,
    groupsQuery(farmUID).queryKey,
    ['group-info', farmUID],
    ['sprinklers', farmUID],
    ['pois', farmUID],
  ];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
