import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const poisQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['pois', farmUID],
    queryFn: async ({ signal }) => (await call('GET /pois', { query: { farmUID }, signal })).pois,
    meta: { records: ['poi', 'group'], farmUID },
  });

export const poiQuery = (poiUID: string) =>
  queryOptions({
    queryKey: ['poi', poiUID],
    queryFn: ({ signal }) => call('GET /poi', { query: { poiUID }, signal }),
    meta: { records: ['poi'] },
    staleTime: 0,
  });
