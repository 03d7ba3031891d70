import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Units report all the time, and a forecast is renewed by the hour. */
const RENEW_MS = 5 * 60_000;

/** What each group needs now, with all that it rests on. */
export const adviceQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['irrigation-advice', farmUID],
    queryFn: ({ signal }) => call('GET /irrigation-advice', { query: { farmUID }, signal }),
    refetchInterval: RENEW_MS,
    meta: { records: ['farm', 'group', 'sprinkler'], farmUID },
  });

/** A group's days, the newest first. */
export const ledgerQuery = (farmUID: string, groupUID: string) =>
  queryOptions({
    queryKey: ['advice-ledger', farmUID, groupUID],
    queryFn: async ({ signal }) =>
      (await call('GET /irrigation-advice/ledger', { query: { farmUID, groupUID }, signal })).days,
    meta: { records: ['farm', 'group'], farmUID },
  });
