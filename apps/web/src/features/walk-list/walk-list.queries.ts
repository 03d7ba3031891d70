import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const RENEW_MS = 5 * 60_000;

/** Where somebody has to go on the farm. */
export const walkListQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['walk-list', farmUID],
    queryFn: ({ signal }) => call('GET /walk-list', { query: { farmUID }, signal }),
    refetchInterval: RENEW_MS,
    meta: { records: ['sprinkler', 'repeater'], farmUID },
  });
