import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

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
