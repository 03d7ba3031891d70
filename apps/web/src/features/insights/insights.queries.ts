import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** What is reckoned from days of readings doesn't change by the minute, ms. */
const RENEW_MS = 5 * 60_000;

/** What the farm's readings point to; the refill point is the person's own. */
export const insightsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['insights', farmUID],
    queryFn: ({ signal }) => call('GET /insights', { query: { farmUID }, signal }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
  });
