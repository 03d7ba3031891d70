import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** One of the farm's schedule sets, with what it has for each sprinkler. */
export const setQuery = (farmUID: string, setUID: string) =>
  queryOptions({
    queryKey: ['schedule-set', farmUID, setUID],
    queryFn: ({ signal }) => call('GET /schedules/set', { query: { farmUID, setUID }, signal }),
    meta: { records: ['schedule set'], farmUID },
  });

/** What becomes of sprinklers by a set; without `from` by what each holds. */
export const compareQuery = (farmUID: string, to: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['schedule-compare', farmUID, to, from ?? ''],
    queryFn: ({ signal }) =>
      call('GET /schedules/compare', { query: { farmUID, to, ...(from && { from }) }, signal }),
    meta: { records: ['schedule set', 'sprinkler'], farmUID },
  });
