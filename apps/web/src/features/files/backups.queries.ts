import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Backups of a farm's configuration, the newest first. */
export const backupsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['backups', farmUID],
    queryFn: ({ signal }) => call('GET /backup/list', { query: { farmUID }, signal }),
    staleTime: 0,
  });
