import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** What a farm's water supply allows. */
export const supplyQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['farm-supply', farmUID],
    queryFn: ({ signal }) => call('GET /farm/supply', { query: { farmUID }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['farm'], farmUID },
  });
