import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const sensorsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sensors', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /sensor/devices', { query: { farmUid: farmUID }, signal })).sensors,
    meta: { records: ['sensor', 'gateway'], farmUID },
    refetchInterval: 60_000,
  });

export const sensorQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['sensor', deviceId],
    queryFn: ({ signal }) => call('GET /sensor', { query: { deviceId }, signal }),
    meta: { records: ['sensor'] },
    staleTime: 0,
  });
