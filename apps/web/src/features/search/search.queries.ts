import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** From so many characters on devices are looked up. */
export const SEARCH_FROM = 2;
export const SEARCH_MAX = 60;

export const searchQuery = (value: string) =>
  queryOptions({
    queryKey: ['search', value],
    queryFn: async ({ signal }) => (await call('GET /ipc/search', { query: { value }, signal })).results,
    enabled: value.length >= SEARCH_FROM,
    staleTime: 10_000,
  });
