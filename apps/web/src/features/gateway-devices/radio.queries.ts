import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const YEAR_DAYS = 365;

/** How a gateway's units answered on the days of the last year. */
export const radioQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['gateway-radio', deviceId],
    queryFn: ({ signal }) => call('GET /gateway/radio', { query: { deviceId, period: YEAR_DAYS }, signal }),
    staleTime: 60_000,
  });
