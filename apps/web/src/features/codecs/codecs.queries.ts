import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export const codecsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['codecs', farmUID],
    queryFn: async ({ signal }) => (await call('GET /codecs', { query: { farmUID }, signal })).codecs,
  });

/** One codec with its script; the newest version unless another is asked for. */
export const codecQuery = (farmUID: string, codecId: string, version?: number) =>
  queryOptions({
    queryKey: ['codec', farmUID, codecId, version ?? null],
    queryFn: ({ signal }) =>
      call('GET /codec', { query: { farmUID, codecId, ...(version && { version }) }, signal }),
    staleTime: 0,
  });

/** How a sensor's payloads are decoded, and what it sent last: asked again by itself, since messages come. */
export const decodingQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['decoding', deviceId],
    queryFn: ({ signal }) => call('GET /sensor/decoding', { query: { deviceId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.waiting || (data?.anew && data.anew.finishedAt === null) ? 2000 : 30_000,
  });
