import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const repeatersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['repeaters', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /repeater/devices', { query: { farmUID }, signal })).repeaters,
    meta: { live: ['repeater'], records: ['repeater', 'gateway'], farmUID },
  });

/** `stopAt` is DD-MM-YYYY; absent: today. */
export const repeaterBatteryQuery = (deviceId: string, { days, stopAt }: { days: number; stopAt?: string }) =>
  queryOptions({
    queryKey: ['repeater-battery', deviceId, days, stopAt],
    queryFn: ({ signal }) =>
      call('GET /repeater/batterylife', {
        query: { deviceId, period: days, ...(stopAt !== undefined && { stopAt }) },
        signal,
      }),
    meta: { live: ['repeater'], uid: deviceId, records: ['repeater'] },
  });

export const repeaterQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['repeater-record', deviceId],
    queryFn: ({ signal }) => call('GET /repeater', { query: { deviceId }, signal }),
    staleTime: 0,
  });
