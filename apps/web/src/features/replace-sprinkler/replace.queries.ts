import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The farm's spares with how ready each is: asked for anew each time somebody looks for one. */
export const spareUnitsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['spare-units', farmUID],
    queryFn: async ({ signal }) => (await call('GET /ipc/spare-units', { query: { farmUID }, signal })).ipcs,
    refetchOnMount: 'always',
  });
