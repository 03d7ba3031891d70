import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const farmsCardQuery = queryOptions({
  queryKey: ['farms-card'],
  queryFn: ({ signal }) => call('GET /farms-card', { signal }),
  meta: { records: ['farm'] },
});

export const farmsSummaryQuery = queryOptions({
  queryKey: ['farms-summary'],
  queryFn: async ({ signal }) => (await call('GET /farms-summary', { signal })).farms,
  meta: {
    live: ['tank_level', 'gateway', 'flow', 'soil_moisture', 'io', 'repeater', 'ipc'],
    records: ['farm'],
  },
  // A farm falls out of contact without a message: asking is the only way to learn of it.
  refetchInterval: 60_000,
});

/** One farm: its zone, boundary and water application. */
export const farmQuery = (uid: string) =>
  queryOptions({
    queryKey: ['farm', uid],
    queryFn: ({ signal }) => call('GET /farm', { query: { uid }, signal }),
    meta: { records: ['farm'] },
    staleTime: 10 * 60_000,
  });
