import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call } from '../../api/client.ts';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';

/** How soon it is asked again how far a set has got, ms: while one is on its way, and otherwise. */
const RENEW_MS = { sending: 5000, calm: 60_000 } as const;

/** A farm's schedule sets with how far they have got, the current one first. */
export const setsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['schedule-set-summaries', farmUID],
    queryFn: async ({ signal }) => (await call('GET /schedules/sets', { query: { farmUID }, signal })).sets,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(isOnItsWay) ? RENEW_MS.sending : RENEW_MS.calm),
    meta: { records: ['schedule set', 'schedule template', 'group', 'sprinkler'], farmUID },
  });

const isOnItsWay = ({ standing }: SetSummary) => (standing?.onTheirWay ?? 0) > 0;

export const renewSets = (queryClient: QueryClient, farmUID: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: setsQuery(farmUID).queryKey }),
    queryClient.invalidateQueries({ queryKey: farmSetsQuery(farmUID).queryKey }),
  ]);
