import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Days that are over change only by late reports. */
const FRESH_MS = 60_000;

/** The last watering that is over; looked at again every five minutes, as it may be over by then. */
export const proofQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['watering-proof', farmUID],
    queryFn: ({ signal }) => call('GET /irr-diary-logs/last', { query: { farmUID }, signal }),
    staleTime: FRESH_MS,
    refetchInterval: 5 * FRESH_MS,
  });
