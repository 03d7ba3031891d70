import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Inputs and relays of a gateway: the one with this MAC, else the farm's first that has them. null: there is none. */
export const gatewayMonitorQuery = (farmUID: string, mac?: string) =>
  queryOptions({
    queryKey: ['gateway-monitor', farmUID, mac ?? 'first'],
    queryFn: ({ signal }) =>
      call('GET /gateway/monitor', { query: { farmUID, ...(mac !== undefined && { mac }) }, signal }),
    meta: { live: ['io', 'gateway'], farmUID },
  });
