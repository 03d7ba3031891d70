import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** How units are changes with the clock too: without news they are asked for this often while they are looked at, ms. */
const CLOCK_MS = 60_000;

/** How many of the farm's sprinklers are free of each error, now and over the last month. */
export const sprinklerHealthQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sprinkler-health', farmUID],
    queryFn: ({ signal }) => call('GET /fmhealth/health', { query: { farmUID }, signal }),
    meta: { records: ['sprinkler'], farmUID },
    refetchInterval: CLOCK_MS,
  });

/** How regularly the farm's sprinklers are heard, and which are not. */
export const sprinklerCommsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sprinkler-comms', farmUID],
    queryFn: ({ signal }) => call('GET /fmhealth/comms', { query: { farmUID }, signal }),
    meta: { records: ['sprinkler'], farmUID },
    refetchInterval: CLOCK_MS,
  });

/** How many of the farm's sprinklers were of a kind (its number in `historyTypes`) at the end of each day. */
export const healthHistoryQuery = (
  farmUID: string,
  { type: hstType, start, stop }: { type: number; start: string; stop: string },
) =>
  queryOptions({
    queryKey: ['sprinkler-health-history', farmUID, hstType, start, stop],
    queryFn: ({ signal }) =>
      call('GET /fmhealth/historybytype', { query: { farmUID, hstType, start, stop }, signal }),
  });
