import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** What each group takes by what its sprinklers hold. */
export const takesQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['group-takes', farmUID],
    queryFn: ({ signal }) => call('GET /schedules/takes', { query: { farmUID }, signal }),
    meta: { records: ['farm', 'group', 'sprinkler'], farmUID },
  });
