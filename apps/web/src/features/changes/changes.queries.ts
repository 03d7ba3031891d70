import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { call } from '../../api/client.ts';

const PAGE = 20;

const changes = (key: string, query: Omit<Api['GET /changes']['query'], 'limit' | 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['changes', query.farmUID, key],
    queryFn: ({ signal, pageParam: before }) =>
      call('GET /changes', { query: { ...query, limit: PAGE, ...(before && { before }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ changes: page, more }) => (more ? page.at(-1)?._id : undefined),
    staleTime: 0,
  });

/** What was changed on a farm, with what was done as one once; or of one of its devices or groups; newest first. */
export const changesQuery = (farmUID: string, uid?: string) =>
  changes(uid ?? '', { farmUID, ...(uid ? { uid } : { together: true }) });

/** What was done as one with this change. */
export const partsQuery = (farmUID: string, id: string) => changes(`with ${id}`, { farmUID, with: id });
