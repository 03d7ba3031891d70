import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const PAGE = 20;

/** What was changed on a farm, or of one of its devices or groups; newest first. */
export const changesQuery = (farmUID: string, uid?: string) =>
  infiniteQueryOptions({
    queryKey: ['changes', farmUID, uid ?? null],
    queryFn: ({ signal, pageParam: before }) =>
      call('GET /changes', {
        query: { farmUID, limit: PAGE, ...(uid && { uid }), ...(before && { before }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ changes, more }) => (more ? changes.at(-1)?._id : undefined),
    staleTime: 0,
  });
