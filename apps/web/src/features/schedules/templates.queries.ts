import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** A farm's schedule templates, by name. */
export const templatesQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['schedule-templates', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /schedule-templates', { query: { farmUID }, signal })).schedules,
    refetchOnMount: 'always',
    // The names of its groups are shown with each.
    meta: { records: ['schedule template', 'group'], farmUID },
  });

export const renewTemplates = (queryClient: QueryClient, farmUID: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: templatesQuery(farmUID).queryKey });
