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

export const templateQuery = (farmUID: string, templateUID: string) =>
  queryOptions({
    queryKey: ['schedule-template', templateUID],
    queryFn: ({ signal }) => call('GET /schedule-template', { query: { templateUID }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['schedule template', 'group'], farmUID },
  });

/** What schedules are made of: groups, their sprinklers in service, and how they water. */
export const scheduleFarmQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['schedule-farm', farmUID],
    queryFn: ({ signal }) => call('GET /schedule-template/farm-details', { query: { farmUID }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['farm', 'group', 'sprinkler'], farmUID },
  });

export const renewTemplates = (queryClient: QueryClient, farmUID: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: templatesQuery(farmUID).queryKey });
