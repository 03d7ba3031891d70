import type { QueryClient } from '@tanstack/react-query';
import { settingsQuery } from '../../preferences/settings.queries.ts';

/**
 * A device was changed: whatever shows devices is asked for again. Not the settings: the server's may be older than what
 * was chosen here a moment ago.
 */
export function renewDevices(queryClient: QueryClient): Promise<void> {
  const [settings] = settingsQuery.queryKey;
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== settings });
}
