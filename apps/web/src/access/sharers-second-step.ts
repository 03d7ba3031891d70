import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Who asks whom for a second step of signing in. */
export const sharersSecondStepQuery = queryOptions({
  queryKey: ['sharers-second-step'],
  queryFn: ({ signal }) => call('GET /sharing/second-step', { signal }),
});
