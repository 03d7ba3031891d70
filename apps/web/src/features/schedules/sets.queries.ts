import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** One of the farm's schedule sets, with what it has for each sprinkler. */
export const setQuery = (farmUID: string, setUID: string) =>
  queryOptions({
    queryKey: ['schedule-set', farmUID, setUID],
    queryFn: ({ signal }) => call('GET /schedules/set', { query: { farmUID, setUID }, signal }),
    meta: { records: ['schedule set'], farmUID },
  });
