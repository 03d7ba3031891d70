import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const repeatersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['repeaters', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /repeater/devices', { query: { farmUID }, signal })).repeaters,
    meta: { live: ['repeater'], records: ['repeater', 'gateway'], farmUID },
  });

export const repeaterQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['repeater-record', deviceId],
    queryFn: ({ signal }) => call('GET /repeater', { query: { deviceId }, signal }),
    meta: { records: ['repeater'] },
    staleTime: 0,
  });
